import AjvCompiler from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { expect, it, vi } from 'vitest'
import { schemaController } from '../../api/compilers.ts'
import { world } from './support.ts'

/** Schemas are compiled at their first use, so that a start would not notice one that can't be. */
const { compilersFactory } = schemaController

it.each([
  ['buildValidator', AjvCompiler()],
  ['buildSerializer', SerializerSelector()],
] as const)('every schema of a route can be compiled: %s', async (name, buildAtOnce) => {
  const schemas = new Set<unknown>()
  const build = compilersFactory[name] as (...settings: unknown[]) => (route: { schema: unknown }) => unknown
  // Cast: the packages' types name other parts of what Fastify gives.
  const spy = vi.spyOn(compilersFactory, name as 'buildValidator').mockImplementation(((...settings: unknown[]) => {
    const compileLater = build(...settings)
    const compile = (buildAtOnce as unknown as typeof build)(...settings)
    return (route: { schema: unknown }) => {
      if (!schemas.has(route.schema)) expect(compile(route)).toBeTypeOf('function')
      schemas.add(route.schema)
      return compileLater(route)
    }
  }) as unknown as typeof compilersFactory.buildValidator)
  const { app } = await world()
  await app.ready()
  spy.mockRestore()
  expect(schemas.size).toBeGreaterThan(20)
})
