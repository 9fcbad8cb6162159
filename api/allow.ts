import type { FastifyInstance } from 'fastify'

/** The methods that paths are served with, for the answers to OPTIONS and wrong methods (405). */
export type Allowed = {
  /** The methods of a path as the value of the header Allow; undefined if the path is unknown. */
  readonly of: (path: string) => string | undefined
  /**
   * Whether a path with a route of its own must be refused with this method. Without this the router would fall back to a
   * route with parameters, and take `stream-ticket` for an event id.
   */
  readonly bars: (path: string, method: string) => boolean
}

/** Collects the routes that are registered after this call. */
export function allowedMethods(app: FastifyInstance): Allowed {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { matches: pattern(url), methods: new Set<string>() }
    routes.set(url, route)
    for (const name of [method].flat()) route.methods.add(name)
  })
  return {
    of: (path) => {
      const route = routes.get(path) ?? routes.values().find(({ matches }) => matches.test(path))
      return route && [...route.methods, 'OPTIONS'].join(', ')
    },
    bars: (path, method) => routes.get(path)?.methods.has(method) === false,
  }
}

const pattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.+')
      .replace(/:\w+/g, '[^/]+')}$`,
  )
