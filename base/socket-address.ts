/**
 * Address of an HTTP server on a Unix socket: `unix:/path/to/socket`. The path is percent-encoded, and a search may
 * follow as in an http address.
 */
type SocketAddress = { readonly path: string; readonly search: string }

export const socketAddress = (path: string): string => `unix:${path.split('/').map(encodeURIComponent).join('/')}`

/** Undefined if the address is of another kind or has no absolute path. */
export function parseSocketAddress(text: string): SocketAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'unix:' || url.host !== '' || !/^\/[^/]/.test(url.pathname)) return undefined
  try {
    return { path: decodeURIComponent(url.pathname), search: url.search }
  } catch {
    return undefined // a % without two hexadecimal digits after it
  }
}

/** Longest path of a socket in bytes. The operating system's `sun_path` has one byte more, for the NUL at the end. */
export const longestSocketPath = process.platform === 'linux' ? 107 : 103
