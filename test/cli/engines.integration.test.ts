import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askKafka, askRedis, askRegistry } from '../../cli/engines.ts'
import { loadConfig } from '../../infra/config.ts'
import { startRedis } from '../../infra/services/redis.ts'
import { serve } from '../support/http-server.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

describe('what almanac doctor asks of the engines', () => {
  it('is nothing where there are none', async () => {
    const config = loadConfig({})
    for (const ask of [askKafka, askRegistry, askRedis]) expect(await ask(config)).toMatch(/^none: /)
  })

  it('names the brokers that cannot be reached', async () => {
    const [port, gone] = [await listen(), 1]
    const ask = (...ports: number[]) =>
      askKafka(loadConfig({ ALMANAC_KAFKA_BROKERS: ports.map((each) => `127.0.0.1:${each}`).join(',') }))
    expect(await ask(port)).toBe(`127.0.0.1:${port}`)
    await expect(ask(port, gone)).rejects.toThrow(/^cannot connect to 127\.0\.0\.1:1$/)
  })

  it('is the registry’s subjects, with its password and without telling it', async () => {
    const logins: (string | undefined)[] = []
    const registry = await serve((request, response) => {
      logins.push(request.headers.authorization)
      response.writeHead(request.url === '/v7/subjects' ? 200 : 404).end('["TEST-value"]')
    })
    const ask = (path: string) =>
      askRegistry(
        loadConfig({ ALMANAC_SCHEMA_REGISTRY_URL: `${registry.address.replace('//', '//TEST:s3cret%23@')}${path}` }),
      )
    expect(await ask('/v7/')).toBe(`${registry.address}/v7, 1 subjects`)
    expect(logins).toEqual([`Basic ${Buffer.from('TEST:s3cret#').toString('base64')}`])
    await expect(ask('/other')).rejects.toThrow(`${registry.address}/other/subjects answers 404`)
  })

  it.skipIf(!serviceIsThere('redis'))('is whether Redis may forget', async () => {
    const redis = await startRedis({ dir: await temporaryDirectory() })
    onTestFinished(() => redis.stop())
    const config = loadConfig({ ALMANAC_REDIS_URL: redis.url })
    expect(await askRedis(config)).toBe('answers, and its settings keep all data')
    await redis.stop()
    await expect(askRedis(config)).rejects.toThrow('ECONNREFUSED')
    const weak = await startRedis({ dir: await temporaryDirectory(), args: ['--appendfsync', 'everysec'] })
    onTestFinished(() => weak.stop())
    await expect(askRedis(loadConfig({ ALMANAC_REDIS_URL: weak.url }))).rejects.toThrow('appendfsync=everysec')
  })
})
