import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { Health } from '../../contracts/resources.ts'
import { streamPath } from '../../contracts/streams.ts'
import { freePorts } from '../../infra/ports.ts'
import { simulatedSymbols } from '../../ingest/simulator/levels.ts'
import { until } from './journal.ts'
import { type Service, startService } from './service.ts'

/** What a client sees of the very first start of the demo. Plain data, because one start is shown to several files. */
export type FirstStart = {
  /** Why `/ready` was 503, text by text. */
  readonly reasons: readonly string[]
  /** `Almanac-Source` of the first handshake of the stream of prices that was accepted. */
  readonly handshakeSource: string | undefined
  /** Answers to what the README asks, and to all prices in dollars, from the moment that `/ready` was 200. */
  readonly answers: readonly { readonly path: string; readonly status: number; readonly text: string }[]
  /** What the service has said from its start to its stop. */
  readonly output: string
}

/** Starts a service as `startService` does, and says why `/ready` was 503 meanwhile. `onReady` is called once it is 200. */
export async function watchStart<Found>(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  onReady: (base: string) => Promise<Found>,
): Promise<{ readonly service: Service; readonly reasons: readonly string[]; readonly found: Found }> {
  const [port] = await freePorts(1)
  const base = `http://127.0.0.1:${port}`
  const starting = startService(dataDir, { ...env, ALMANAC_HTTP_PORT: String(port) })
  const reasons = new Set<string>()
  const isReady = async () => {
    // In this order, because a start may end between the two questions.
    const health = await fetch(`${base}/health`).catch(() => undefined)
    const answer = await fetch(`${base}/ready`).catch(() => undefined)
    if (answer?.status === 503) reasons.add(((await answer.json()) as { detail: string }).detail)
    const { status } = ((await health?.json()) ?? {}) as Partial<Health>
    if (answer?.status === 503 && status === 'ok') throw new Error('/health was ok before /ready was 200')
    return answer?.status === 200
  }
  const finding = until('/ready is 200', isReady).then(() => onReady(base))
  finding.catch(() => undefined)
  const service = await starting
  try {
    return { service, reasons: [...reasons], found: await finding }
  } catch (error) {
    await service.destroy()
    throw error
  }
}

/** Starts the demo on an empty directory, watched from the first moment on. The service still runs. */
export async function watchFirstStart(
  dataDir: string,
): Promise<{ service: Service; seen: Omit<FirstStart, 'output'> }> {
  const [streamPort] = await freePorts(1)
  const env = { ALMANAC_LOG_LEVEL: 'info', ALMANAC_STREAM_PORT: String(streamPort) }
  const handshake = firstHandshakeSource(`ws://127.0.0.1:${streamPort}${streamPath('prices')}`)
  handshake.catch(() => undefined)
  const { service, reasons, found } = await watchStart(dataDir, env, (base) => answersOf(base, dataDir))
  return { service, seen: { reasons, handshakeSource: await handshake, answers: found } }
}

async function answersOf(base: string, dataDir: string): Promise<FirstStart['answers']> {
  const { pro } = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8')) as { pro: string }
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const paths = [...readme.matchAll(/http:\/\/127\.0\.0\.1:8080(\/v1\/[^\s"'`]+)/g)].map(([, path = '']) => path)
  const symbols = simulatedSymbols.filter((symbol) => symbol.endsWith('-USD') && !symbol.startsWith('EUR'))
  const spots = symbols.map((symbol) => `/v1/commodities/spot/${symbol.replace('-', '/')}`)
  return await Promise.all(
    [...paths, ...spots, '/v1/fx/rates/USD'].map(async (path) => {
      const answer = await fetch(base + path, { headers: { authorization: `Bearer ${pro}` } })
      return { path, status: answer.status, text: await answer.text() }
    }),
  )
}

/** Without a key a handshake is accepted, and refused behind it. */
async function firstHandshakeSource(url: string): Promise<string | undefined> {
  let accepted: { readonly source: string | undefined } | undefined
  await until('the streams accept a handshake', async () => {
    const socket = new WebSocket(url)
    accepted = await new Promise((resolve) => {
      socket.once('upgrade', ({ headers }) => resolve({ source: headers['almanac-source']?.toString() }))
      socket.on('error', () => resolve(undefined))
    })
    socket.terminate()
    return accepted !== undefined
  })
  return accepted?.source
}
