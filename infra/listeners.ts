import type { Role } from './settings.ts'

/** The embedded store's optional TCP port is on this address only. */
export const STORE_HOST = '127.0.0.1'

/** A port that a process of the service listens on, and the setting that names it. */
export type Listener = { readonly setting: string; readonly host: string; readonly port: number }

type Addresses = {
  readonly roles: readonly Role[]
  readonly host: string
  readonly httpPort: number
  readonly streamPort: number
  readonly storePort: number
  readonly clickhouseUrl: string
  readonly admin: { readonly host: string; readonly port: number }
}

/** The ports that the chosen roles listen on; 0 is any free port and is left out. */
export function listenersOf(config: Addresses): Listener[] {
  const { roles, host, httpPort, streamPort, storePort, clickhouseUrl, admin } = config
  const hasNode = roles.some((role) => role !== 'store' && role !== 'streams')
  const hasStore = roles.includes('store') && clickhouseUrl === ''
  const all = [
    { setting: 'ALMANAC_STORE_PORT', host: STORE_HOST, port: storePort, isUsed: hasStore },
    { setting: 'ALMANAC_HTTP_PORT', host, port: httpPort, isUsed: roles.includes('api') },
    { setting: 'ALMANAC_STREAM_PORT', host, port: streamPort, isUsed: roles.includes('streams') },
    { setting: 'ALMANAC_ADMIN_PORT', host: admin.host, port: admin.port, isUsed: hasNode },
    {
      setting: 'ALMANAC_ADMIN_PORT',
      host: admin.host,
      port: admin.port === 0 ? 0 : admin.port + 1,
      isUsed: roles.includes('streams'),
    },
  ]
  return all.flatMap(({ isUsed, ...listener }) => (isUsed && listener.port !== 0 ? [listener] : []))
}

/** What is wrong with ports that two listeners would share, a sentence each. */
export const sharedPorts = (listeners: readonly Listener[]): string[] =>
  listeners.flatMap((one, i) =>
    listeners
      .slice(i + 1)
      .filter((other) => one.port === other.port && overlap(one.host, other.host))
      .map((other) => `${one.setting} and ${other.setting} both take port ${one.port}: ${hint(other)}`),
  )

const hint = ({ setting }: Listener): string =>
  setting === 'ALMANAC_ADMIN_PORT'
    ? 'the streams process has the port after ALMANAC_ADMIN_PORT; choose another'
    : 'give each a port of its own'

const wildcards = ['0.0.0.0', '::', '[::]']
const overlap = (a: string, b: string): boolean => a === b || wildcards.includes(a) || wildcards.includes(b)
