import type { FastifyInstance } from 'fastify'
import { operations, statusOf } from '../contracts/operations.ts'
import { etagOf, type Render } from './answer.ts'

/**
 * Serialises bodies with Fastify's own serialisers (fast-json-stringify), one for each operation's response schema. They
 * exist once the instance that holds the routes is ready; no request comes before that.
 */
export function renderer(app: FastifyInstance): Render {
  const serialisers = new Map<string, (value: unknown) => string>()
  app.addHook('onReady', function compile(done) {
    const compiler = this.serializerCompiler
    if (!compiler) throw new Error('the instance has no route with a response schema')
    for (const operation of operations) {
      const { id, response, method, path } = operation
      const httpStatus = String(statusOf(operation))
      serialisers.set(id, compiler({ schema: response, method, url: path, httpStatus }))
    }
    done()
  })
  return (operationId, value, cacheControl, headers) => {
    const serialise = serialisers.get(operationId)
    if (!serialise) throw new Error(`no serialiser for ${operationId}`)
    const body = serialise(value)
    return { body, etag: etagOf(body), cacheControl, ...(headers ? { headers } : {}) }
  }
}
