import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>
type Route = { readonly schema?: unknown }

/**
 * Fastify's own compilers of schemas, with a memory. Fastify compiles the schemas of each route, HEAD routes included, which
 * takes most of the time to build the application. Here each schema is compiled once in a process, because many operations share
 * their parameters, and when it is first used, so that a start does not wait for schemas that nobody needs yet. The settings are
 * those of the first application; all have the same.
 *
 * The casts: Fastify calls a compiler with a route, but the packages' types name only its schema, or more of it.
 */
export const schemaController = {
  compilersFactory: {
    buildValidator: remembering(AjvCompiler() as Build) as Compilers['buildValidator'],
    buildSerializer: remembering(SerializerSelector() as unknown as Build) as unknown as Compilers['buildSerializer'],
  },
}

/** A validator, which leaves what it found in `errors`, or a serializer. */
type Compiled = { (...values: readonly unknown[]): unknown; errors?: unknown }
type Build = (...settings: readonly never[]) => (route: Route) => Compiled

/** Builds a compiler at the first call, and lets it compile each schema once. */
function remembering(build: Build): Build {
  const compiled = new WeakMap<object, Compiled>()
  let compile: ReturnType<Build> | undefined
  const remembered = (route: Route): Compiled => {
    const { schema } = route
    if (!compile) throw new Error('a schema is compiled before its compiler is built')
    if (typeof schema !== 'object' || schema === null) return compile(route)
    const known = compiled.get(schema) ?? compiledLater(compile, route)
    compiled.set(schema, known)
    return known
  }
  return (...settings) => {
    compile ??= build(...settings)
    return remembered
  }
}

/**
 * Stands for what a schema is compiled to, and compiles it at the first call. Fastify asks a validator for its `schemaEnv` only to
 * hand it the parent of a value that is coerced, and nothing is coerced here.
 */
function compiledLater(compile: ReturnType<Build>, route: Route): Compiled {
  let compiled: Compiled = (...values) => {
    compiled = compile(route)
    return compiled(...values)
  }
  const later: Compiled = (...values) => {
    const result = compiled(...values)
    later.errors = compiled.errors
    return result
  }
  return later
}
