import type { FastifyInstance } from 'fastify'

/** Which methods a path is served with: what 405 and OPTIONS answer from. Undefined: none, the path is unknown. */
export type Allowed = (path: string) => string | undefined

/** Collects the routes that are registered from here on. */
export function allowedMethods(app: FastifyInstance): Allowed {
  const routes = new Map<string, { readonly matches: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { matches: pattern(url), methods: new Set<string>() }
    routes.set(url, route)
    for (const name of [method].flat()) route.methods.add(name)
  })
  return (path) => {
    for (const { matches, methods } of routes.values()) {
      if (matches.test(path)) return [...methods, 'OPTIONS'].join(', ')
    }
    return undefined
  }
}

const pattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
