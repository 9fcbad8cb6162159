import type { Config } from './config.ts'
import { urlOf } from './urls.ts'

/** Addresses of the admin ports of the processes that these roles run in, as seen from the same machine. */
export function adminAddresses({ host, port }: Config['admin'], roles: Config['roles']): string[] {
  const hasNode = roles.some((role) => role !== 'streams' && role !== 'store')
  const ports = [...(hasNode ? [port] : []), ...(roles.includes('streams') ? [port + 1] : [])]
  return ports.map((each) => urlOf('http', host, each))
}
