import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { processLimits } from '../../../ingest/limits.ts'
import { ParserProcess, type ProcessLimits } from '../../../ingest/parser/parser-process.ts'
import { type Document, type Item, ParserUnavailable } from '../../../ingest/source.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { temporaryDirectory, until } from '../../support/journal.ts'
import { document, fixturePath } from '../sources/fixture.ts'

const misbehaving = new URL('./support/misbehaving-main.ts', import.meta.url).pathname
const open = (options: ConstructorParameters<typeof ParserProcess>[0] = {}): ParserProcess => {
  const parser = new ParserProcess(options)
  onTestFinished(() => parser.close())
  return parser
}
/** The process of all tests in the enclosing `describe` whose documents do not end it. */
function shareParser(): ParserProcess {
  const parser = new ParserProcess()
  afterAll(() => parser.close())
  return parser
}
const limited = (limits: Partial<ProcessLimits>) => open({ main: misbehaving, limits: { ...processLimits, ...limits } })
const doing = (dataset: string): Document => document('x', { dataset })
const all = async (parser: ParserProcess, source: string, of: Document, signal?: AbortSignal): Promise<Item[]> =>
  (await Array.fromAsync(parser.parse(source, of, signal))).flat()
/** Peak memory of a process so far, MiB; 0 when it is gone. */
function peakMib(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** A document of several batches. */
const head =
  '# almanac: prices 1\n# publisher: p\n# licence: l\n# url: https://example.org/\n# source: ABC\n# symbol: XAU-USD\n'
const rows = Array.from({ length: 5_000 }, (_, i) => `${new Date(1.6e12 + i * 1_000).toISOString()},${i + 1}\n`)
const ticks = document(`${head}observed_at,price\n${rows.join('')}`)
const sources = await openSources()
const ticksRead = () => [...(sources.file?.parse(ticks) ?? [])]

describe('the parser process', () => {
  const shared = shareParser()

  it.each([
    ['ecb', 'ecb/eurofxref-hist-90d.xml', ''],
    ['bis', 'bis/WS_LONG_CPI_csv_col.csv', ''],
    ['fred', 'fred/GDP-vintages.json', 'GDP'],
    ['oecd', 'oecd/QGDP.csv', ''],
    ['world-bank', 'world-bank/exports.json', ''],
    ['comtrade', 'comtrade/totals.json', ''],
  ])('gives the items of %s in their order, as they are parsed here', async (source, name, dataset) => {
    const given = document(readFileSync(fixturePath(name)), { dataset })
    const here = [...(sources[source]?.parse(given) ?? [])]
    expect(here.length).toBeGreaterThan(0)
    expect(await all(shared, source, given)).toEqual(here)
    // Again, and by the same process.
    const { pid } = shared
    expect(await all(shared, source, given)).toEqual(here)
    expect(shared.pid).toBe(pid)
  })

  it('gives more items than a batch holds, and takes documents in their turn', async () => {
    const [first, refused, last] = await Promise.allSettled([
      all(shared, 'file', ticks),
      all(shared, 'file', document('nothing of ours\n')),
      all(shared, 'file', ticks),
    ])
    expect(first).toEqual({ status: 'fulfilled', value: ticksRead() })
    expect(refused).toMatchObject({ reason: { name: 'DocumentError', reason: 'unknown_format', location: 'line 1' } })
    expect(last).toEqual(first)
  })

  it.each(['heap', 'buffers', 'strings'])(
    'that fills %s ends within its memory, and the next document is read',
    async (what) => {
      const parser = limited({ heapMib: 128, memoryMib: 384 })
      let peak = 0
      const watch = setInterval(() => (peak = Math.max(peak, peakMib(parser.pid))), 20)
      onTestFinished(() => clearInterval(watch))
      await expect(all(parser, 'file', doing(what))).rejects.toMatchObject({
        name: 'DocumentError',
        reason: 'out_of_memory',
      })
      clearInterval(watch)
      expect(peak).toBeGreaterThan(100)
      // The program itself, which is mapped and not allocated, comes on top.
      expect(peak).toBeLessThan(384 + 128)
      expect(await all(parser, 'file', doing('nothing'))).toEqual([])
    },
  )

  it('that takes too much processor time is ended by the system', async () => {
    const parser = limited({ cpuSeconds: 2 })
    await expect(all(parser, 'file', doing('spin'))).rejects.toMatchObject({ reason: 'too_slow' })
    expect(await all(parser, 'file', doing('nothing'))).toEqual([])
  })

  it('that never answers is waited for so long', async () => {
    const parser = limited({ waitMs: 300 })
    await expect(all(parser, 'file', doing('silence'))).rejects.toMatchObject({ reason: 'too_slow' })
  })

  it('is not waited for while whoever asked is busy, whatever the clock does then', async () => {
    const batches: (readonly Item[])[] = []
    for await (const batch of shared.parse('file', ticks)) {
      batches.push(batch)
      if (batches.length > 1) continue
      const hourLater = { date: Date.now() + 3_600_000, performance: performance.now() + 3_600_000 }
      const clocks = [
        vi.spyOn(Date, 'now').mockReturnValue(hourLater.date),
        vi.spyOn(performance, 'now').mockReturnValue(hourLater.performance),
      ]
      onTestFinished(() => {
        for (const clock of clocks) clock.mockRestore()
      })
    }
    expect(batches.flat()).toEqual(ticksRead())
  })

  it('is not ended as idle while it reads, though a document before was given up while it waited', async () => {
    const idleMs = 200
    const parser = open({ limits: { ...processLimits, idleMs } })
    await all(parser, 'file', ticks)
    await expect(all(parser, 'file', ticks, AbortSignal.abort(new Error('lost')))).rejects.toThrow('lost')
    const batches: (readonly Item[])[] = []
    for await (const batch of parser.parse('file', ticks)) {
      batches.push(batch)
      // A timer that was set before this one, for no longer, goes off before it.
      if (batches.length === 1) await sleep(idleMs)
    }
    expect(batches.flat()).toEqual(ticksRead())
  })

  it('that is killed from outside is started once more, and gives each item once', async () => {
    const parser = open()
    const batches: (readonly Item[])[] = []
    for await (const batch of parser.parse('file', ticks)) {
      batches.push(batch)
      if (batches.length === 1 && parser.pid) process.kill(parser.pid, 'SIGKILL')
    }
    expect(batches.flat()).toEqual(ticksRead())
  })

  it('runs where the machine has no `nice`', async () => {
    const empty = await temporaryDirectory()
    expect(existsSync(join(empty, 'nice'))).toBe(false)
    vi.stubEnv('PATH', empty)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await all(open(), 'file', ticks)).toHaveLength(5_000)
  })

  const preventions: readonly [string, () => void][] = [
    [
      'the program can’t be executed',
      () => {
        process.execPath = '/not/there'
      },
    ],
    ['the system refuses to start it', () => vi.stubEnv('PATH', 'x'.repeat(1_000_000))],
  ]
  it.each(preventions)('that can’t be started, since %s, is no fault of the document', async (_, prevent) => {
    const { execPath } = process
    const allow = () => {
      process.execPath = execPath
      vi.unstubAllEnvs()
    }
    onTestFinished(allow)
    const parser = open()
    prevent()
    await expect(all(parser, 'file', ticks)).rejects.toBeInstanceOf(ParserUnavailable)
    allow()
    expect(await all(parser, 'file', ticks)).toHaveLength(5_000)
  })

  it.each(['death', 'exit'])('that ends by %s fails one document only', async (what) => {
    const parser = limited({})
    await expect(all(parser, 'file', doing(what))).rejects.toMatchObject({ reason: 'parser_failed' })
    expect(await all(parser, 'file', doing('nothing'))).toEqual([])
  })

  it('ends when whoever asked wants no more: by signal, by leaving, or for want of work', async () => {
    const reason = new Error('shutting down')
    const stop = new AbortController()
    const parser = limited({ idleMs: 50 })
    const items = all(parser, 'file', doing('silence'), stop.signal)
    await until('it runs', () => parser.pid !== undefined)
    stop.abort(reason)
    await expect(items).rejects.toBe(reason)
    expect(parser.pid).toBeUndefined()
    expect(await all(parser, 'file', doing('nothing'))).toEqual([])
    await until('it has ended', () => parser.pid === undefined)
    const real = open()
    for await (const [item] of real.parse('ecb', document(readFileSync(fixturePath('ecb/eurofxref-hist-90d.xml'))))) {
      expect(item?.kind).toBe('price')
      break
    }
    expect(real.pid).toBeUndefined()
  })

  it('has none of the service’s environment', async () => {
    const items = all(shared, 'bis', document('x'))
    await until('it runs', () => shared.pid !== undefined)
    const environment = readFileSync(`/proc/${shared.pid}/environ`, 'utf8')
    expect(environment).not.toMatch(/^(?!PATH=|TZ=|NODE_CHANNEL|PWD=|OLDPWD=|SHLVL=|_=)./m)
    await items.catch(() => undefined)
  })
})

/** Several times what a limit allows. ALMANAC_TEST_ATTACKS=5 makes documents of 60 MB, which only take longer. */
const TIMES = Number(process.env.ALMANAC_TEST_ATTACKS ?? 1)

/** Documents that took the memory of the process that read them, or its time. */
describe('an attack is refused with its reason', () => {
  const zipped = (text: string) => zipSync({ 'x.csv': strToU8(text) })
  const attacks: [string, string, () => Uint8Array | string, RegExp][] = [
    ['a small archive of elements', 'ecb', () => zipped(`<r>${'<a/>'.repeat(3_000_000 * TIMES)}</r>`), /^too_large$/],
    ['a small archive of rows', 'ecb', () => zipped(`Date,USD\n${',\n'.repeat(6_000_000 * TIMES)}`), /^too_large$/],
    ['an archive that unpacks to more', 'ecb', () => zipped('x'.repeat(70_000_000)), /^too_large$/],
    ['millions of numbers', 'world-bank', () => `[${'0,'.repeat(4_000_000 * TIMES)}0]`, /^too_large$/],
    ['arrays 5,000 deep', 'fred', () => `{"observations":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, /^too_large$/],
    ['elements 100,000 deep', 'ecb', () => `${'<a b="/>">'.repeat(100_000)}${'</a>'.repeat(100_000)}`, /^too_large$/],
    ['one line of many megabytes', 'bis', () => `${'x'.repeat(12_000_000 * TIMES)}\n`, /^too_large$/],
    ['an open quote and many rows', 'bis', () => `"${'x,\n'.repeat(1_500_000)}\n`, /^too_large$/],
    ['a million columns', 'ecb', () => `Date,${'X,'.repeat(500_000)}\n`, /^too_large$/],
    ['empty lines only', 'file', () => '\n'.repeat(12_000_000 * TIMES), /^empty$/],
  ]
  const shared = shareParser()

  it.each(attacks)('%s', async (_, source, make, reason) => {
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, peakMib(shared.pid))), 20)
    onTestFinished(() => clearInterval(watch))
    const outcome = all(shared, source, document(make()))
    await expect(outcome).rejects.toMatchObject({ name: 'DocumentError', reason: expect.stringMatching(reason) })
    expect(peak).toBeLessThan(processLimits.memoryMib + 128)
  })
})
