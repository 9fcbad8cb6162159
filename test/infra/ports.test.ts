import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts, isFree, tryPort } from '../../infra/ports.ts'

it('gives no port twice, and none that is listened on', async () => {
  const ports = (await Promise.all(Array.from({ length: 50 }, () => freePorts(4)))).flat()
  expect(new Set(ports).size).toBe(200)
  const port = ports[0] as number
  const server = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  expect(await isFree(port)).toBe(false)
  await expect(tryPort(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
