/** A bare Fastify application that sends the bytes that it was given last, whatever it is asked. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

type Given = { readonly body: string; readonly contentType: string }

let given: Given = { body: '', contentType: 'text/plain' }
const app = Fastify()
app.get('*', (_, reply) => {
  reply.type(given.contentType).send(given.body)
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (message) => {
  given = message as Given
  process.send?.('given')
})
process.on('disconnect', () => process.exit(0))
process.send?.((app.server.address() as AddressInfo).port)
