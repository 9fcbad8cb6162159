import { readFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

/** Fewest connections with which a service may start. */
const LEAST_CONNECTIONS = 16

/** Number of file descriptors that this process may open. Undefined if the system has no limit or does not tell it. */
export function descriptorLimit(): number | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux has this file.
    return undefined
  }
  // Node raises the soft limit to the hard one when it starts.
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  return soft === undefined || soft === 'unlimited' ? undefined : Number(soft)
}

type ConnectionBudget = {
  readonly connections: number
  /** Warning for the operator if the limit allows fewer connections than are configured. */
  readonly warning: string | undefined
}

/**
 * Returns how many connections a process may hold, so that `reserved` descriptors are left for its files and its own
 * connections. Throws ConfigError if fewer than 16 are left.
 */
export function connectionBudget(
  setting: string,
  wanted: number,
  reserved: number,
  limit = descriptorLimit(),
): ConnectionBudget {
  if (limit === undefined || wanted + reserved <= limit) return { connections: wanted, warning: undefined }
  const connections = limit - reserved
  const remedy = `raise the limit of open files to ${wanted + reserved} (ulimit -Hn, LimitNOFILE= of systemd, ulimits.nofile of a container)`
  if (connections < LEAST_CONNECTIONS) {
    throw new ConfigError(
      `a limit of ${limit} open files is too low, because ${reserved} are reserved for the journal and the stores: ${remedy}`,
    )
  }
  return {
    connections,
    warning: `a limit of ${limit} open files allows ${connections} connections, not the ${wanted} of ${setting}, because ${reserved} are reserved for the journal and the stores: ${remedy}, or lower ${setting}`,
  }
}
