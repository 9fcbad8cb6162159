import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { streamPath } from '../../contracts/streams.ts'
import { freePorts } from '../../infra/ports.ts'
import { simulatedSymbols } from '../../ingest/simulator/levels.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { startService } from '../support/service.ts'

/** Headers of the first handshake that is accepted; without a key, it is refused behind it. */
async function firstHandshake(url: string): Promise<IncomingHttpHeaders> {
  let accepted: IncomingHttpHeaders | undefined
  await until(
    'the streams accept a handshake',
    async () => {
      const socket = new WebSocket(url)
      accepted = await new Promise<IncomingHttpHeaders | undefined>((resolve) => {
        socket.once('upgrade', ({ headers }) => resolve(headers))
        socket.on('error', () => resolve(undefined))
      })
      socket.terminate()
      return accepted !== undefined
    },
    60_000,
  )
  return accepted ?? expect.unreachable()
}

/** A client of the demo that waits for `/ready` and for nothing else, from the very first start on. */
it('everything that the README asks is answered from the moment that /ready is 200', async () => {
  const dataDir = await temporaryDirectory()
  const [port = 0, streamPort = 0] = await freePorts(2)
  const ports = { ALMANAC_HTTP_PORT: String(port), ALMANAC_STREAM_PORT: String(streamPort) }
  const base = `http://127.0.0.1:${port}`
  const started = async () => {
    const starting = startService(dataDir, ports)
    starting.catch(() => undefined)
    onTestFinished(async () => (await starting).destroy())
    const reasons = new Set<string>()
    await until(
      '/ready is 200',
      async () => {
        const answer = await fetch(`${base}/ready`).catch(() => undefined)
        if (answer?.status === 503) reasons.add(((await answer.json()) as { detail: string }).detail)
        return answer?.status === 200
      },
      60_000,
    )
    return { starting, reasons }
  }
  const handshake = firstHandshake(`ws://127.0.0.1:${streamPort}${streamPath('prices')}`)
  const { starting, reasons } = await started()
  // The first quote comes long after the streams are up.
  expect((await handshake)['almanac-source']).toBe('simulator')
  const { pro } = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as { pro: string }
  const get = async (path: string) => {
    const answer = await fetch(base + path, { headers: { authorization: `Bearer ${pro}` } })
    if (path.includes('format=csv')) {
      const [, ...rows] = (await answer.text()).trim().split('\r\n')
      return { path, status: answer.status, body: { rows } as Record<string, unknown[]> }
    }
    return { path, status: answer.status, body: (await answer.json()) as Record<string, unknown[]> }
  }
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const paths = [...readme.matchAll(/http:\/\/127\.0\.0\.1:8080(\/v1\/[^\s"'`]+)/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(4)
  const symbols = simulatedSymbols.filter((symbol) => symbol.endsWith('-USD') && !symbol.startsWith('EUR'))
  const spots = symbols.map((symbol) => `/v1/commodities/spot/${symbol.replace('-', '/')}`)
  const answers = await Promise.all([...paths, ...spots, '/v1/fx/rates/USD'].map(get))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  for (const { path, body } of answers) {
    if (path.includes('format=csv')) expect(body.rows?.length).toBeGreaterThan(0)
    if (path.includes('/observations')) expect(body.observations?.length).toBeGreaterThan(0)
    if (path.startsWith('/v1/events')) expect(body.events?.length).toBeGreaterThan(0)
  }
  const LOADING = 'Not ready yet: the bundled sample is still being loaded.'
  expect([...reasons]).toContain(LOADING)
  // A later start finds it in the journal.
  expect(await (await starting).stop()).toBe(0)
  const later = await started()
  expect([...later.reasons]).not.toContain(LOADING)
}, 180_000)
