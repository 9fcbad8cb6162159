/** A bare Fastify application that sends, for each path, the bytes that it was given for it. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

type Given = { readonly path: string; readonly body: string; readonly contentType: string }

const given = new Map<string, Given>()
const app = Fastify()
app.get('*', (request, reply) => {
  const { body, contentType } = given.get(request.url) ?? { body: '', contentType: 'text/plain' }
  reply.type(contentType).send(body)
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (message) => {
  const one = message as Given
  given.set(one.path, one)
  process.send?.('given')
})
process.on('disconnect', () => process.exit(0))
process.send?.((app.server.address() as AddressInfo).port)
