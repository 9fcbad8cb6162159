import type { Role } from './settings.ts'
import { isWildcard } from './urls.ts'

/** Only address of the embedded store's optional TCP port. */
export const STORE_HOST = '127.0.0.1'

/** A port that a process of the service listens on, and the setting that determines it. */
export type Listener = {
  readonly setting: string
  /** Whether it is the port after the setting's, which the streams process uses. */
  readonly isNext: boolean
  readonly host: string
  readonly port: number
}

type Addresses = {
  readonly roles: readonly Role[]
  readonly host: string
  readonly httpPort: number
  readonly streamPort: number
  readonly storePort: number
  readonly sql: { readonly host: string; readonly port: number }
  readonly clickhouseUrl: string
  readonly admin: { readonly host: string; readonly port: number }
}

/** Returns the ports that the chosen roles listen on. Port 0, which means any free port, is left out. */
export function listenersOf(config: Addresses): Listener[] {
  const { roles, host, httpPort, streamPort, storePort, sql, clickhouseUrl, admin } = config
  const hasNode = roles.some((role) => role !== 'store' && role !== 'streams')
  const hasStore = roles.includes('store') && clickhouseUrl === ''
  const hasStreams = roles.includes('streams')
  const nextPort = admin.port === 0 ? 0 : admin.port + 1
  const all = [
    { setting: 'ALMANAC_STORE_PORT', isNext: false, host: STORE_HOST, port: storePort, isUsed: hasStore },
    { setting: 'ALMANAC_SQL_PORT', isNext: false, host: sql.host, port: sql.port, isUsed: hasStore },
    { setting: 'ALMANAC_HTTP_PORT', isNext: false, host, port: httpPort, isUsed: roles.includes('api') },
    { setting: 'ALMANAC_STREAM_PORT', isNext: false, host, port: streamPort, isUsed: hasStreams },
    { setting: 'ALMANAC_ADMIN_PORT', isNext: false, host: admin.host, port: admin.port, isUsed: hasNode },
    { setting: 'ALMANAC_ADMIN_PORT', isNext: true, host: admin.host, port: nextPort, isUsed: hasStreams },
  ]
  return all.flatMap(({ isUsed, ...listener }) => (isUsed && listener.port !== 0 ? [listener] : []))
}

/** Names the setting of a listener's port, for a message. */
export const settingText = ({ setting, isNext }: Listener): string =>
  isNext ? `${setting} (the streams process takes the port after it)` : setting

/** Returns a fault for every two listeners that would share a port. */
export const sharedPorts = (listeners: readonly Listener[]): string[] =>
  listeners.flatMap((one, i) =>
    listeners
      .slice(i + 1)
      .filter((other) => one.port === other.port && overlap(one.host, other.host))
      .map((other) => `${nameOf(one)} and ${nameOf(other)} both take port ${one.port}: give each a port of its own`),
  )

const nameOf = ({ setting, isNext }: Listener): string => (isNext ? `the streams process (${setting} + 1)` : setting)

const overlap = (a: string, b: string): boolean => a === b || isWildcard(a) || isWildcard(b)
