import { readFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

/** Fewer connections than this are no service. */
const LEAST_CONNECTIONS = 16

/** File descriptors that this process may have open; undefined where the system doesn't say, or sets no limit. */
export function descriptorLimit(): number | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Linux alone has the file.
    return undefined
  }
  // Node has raised the soft limit to the hard one by now.
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  return soft === undefined || soft === 'unlimited' ? undefined : Number(soft)
}

type ConnectionBudget = {
  readonly connections: number
  /** Warning for the operator where the limit allows fewer connections than are configured. */
  readonly warning: string | undefined
}

/**
 * How many connections a process may hold so that `reserved` descriptors are left for its files and its own connections.
 * Throws ConfigError if too few are left to serve anyone.
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
      `${limit} open files are too few, as ${reserved} are kept for the journal and the stores: ${remedy}`,
    )
  }
  return {
    connections,
    warning: `${limit} open files allow ${connections} connections, not the ${wanted} of ${setting}, as ${reserved} are kept for the journal and the stores: ${remedy}, or lower ${setting}`,
  }
}
