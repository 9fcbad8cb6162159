import type { Config } from './config.ts'

/** Where the admin ports of the processes that these roles run in are asked, from the same machine. */
export function adminAddresses({ host, port }: Config['admin'], roles: Config['roles']): string[] {
  const isWildcard = ['0.0.0.0', '::', '[::]'].includes(host)
  const asked = isWildcard ? '127.0.0.1' : host.includes(':') ? `[${host.replace(/[[\]]/g, '')}]` : host
  const hasNode = roles.some((role) => role !== 'streams' && role !== 'store')
  const ports = [...(hasNode ? [port] : []), ...(roles.includes('streams') ? [port + 1] : [])]
  return ports.map((each) => `http://${asked}:${each}`)
}
