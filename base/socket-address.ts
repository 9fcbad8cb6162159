/**
 * Address of an HTTP server on a Unix socket: `unix:/path/to/socket`, the path percent-encoded, with an optional search
 * as in an http address.
 */
type SocketAddress = { readonly path: string; readonly search: string }

export const socketAddress = (path: string): string => `unix:${path.split('/').map(encodeURIComponent).join('/')}`

/** Undefined for an address of another kind, and for one that names no absolute path. */
export function parseSocketAddress(text: string): SocketAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'unix:' || url.host !== '' || !/^\/[^/]/.test(url.pathname)) return undefined
  try {
    return { path: decodeURIComponent(url.pathname), search: url.search }
  } catch {
    return undefined // a % that encodes nothing
  }
}

/** Bytes that a socket's path may have; the operating system's `sun_path` includes the NUL behind it. */
export const longestSocketPath = process.platform === 'linux' ? 107 : 103
