import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>
type Route = { readonly schema?: unknown }

/**
 * Fastify's own compilers of schemas, with a memory. Fastify compiles the schemas of each route, HEAD routes included, which
 * takes most of the time to build the application. Here each schema is compiled once in a process: many operations share
 * their parameters. The settings are those of the first application; all have the same.
 *
 * The casts: Fastify calls a compiler with a route, but the packages' types name only its schema, or more of it.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: remembering(AjvCompiler() as Build) as Compilers['buildValidator'],
    buildSerializer: remembering(SerializerSelector() as unknown as Build) as unknown as Compilers['buildSerializer'],
  },
}

type Build = (...settings: readonly never[]) => (route: Route) => unknown

/** Builds a compiler at the first call, and lets it compile each schema once. */
function remembering(build: Build): Build {
  const compiled = new WeakMap<object, unknown>()
  let compile: ReturnType<Build> | undefined
  const remembered = (route: Route): unknown => {
    const { schema } = route
    if (typeof schema !== 'object' || schema === null) return compile?.(route)
    const known = compiled.get(schema) ?? compile?.(route)
    compiled.set(schema, known)
    return known
  }
  return (...settings) => {
    compile ??= build(...settings)
    return remembered
  }
}
