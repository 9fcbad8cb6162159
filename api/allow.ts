import type { FastifyInstance } from 'fastify'

/** Which methods paths are served with: what 405 and OPTIONS answer from. */
export type Allowed = {
  /** As the header Allow has it. Undefined: none, the path is unknown. */
  readonly of: (path: string) => string | undefined
  /**
   * Whether a path that has a route of its own isn't served with a method, even if the router finds a route with
   * parameters that is: `stream-ticket` is no event.
   */
  readonly bars: (path: string, method: string) => boolean
}

/** Collects the routes that are registered from here on. */
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
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
