import { readFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { processLimits } from '../../../ingest/limits.ts'
import { ParserProcess, type ProcessLimits } from '../../../ingest/parser/parser-process.ts'
import type { Document, Item } from '../../../ingest/source.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { until } from '../../support/journal.ts'
import { document, fixturePath } from '../sources/fixture.ts'

const misbehaving = new URL('./support/misbehaving-main.ts', import.meta.url).pathname
const open = (options: ConstructorParameters<typeof ParserProcess>[0] = {}): ParserProcess => {
  const parser = new ParserProcess(options)
  onTestFinished(() => parser.close())
  return parser
}
const limited = (limits: Partial<ProcessLimits>) => open({ main: misbehaving, limits: { ...processLimits, ...limits } })
const doing = (dataset: string): Document => document('x', { dataset })
const all = (parser: ParserProcess, source: string, of: Document, signal?: AbortSignal): Promise<Item[]> =>
  Array.fromAsync(parser.parse(source, of, signal))
/** Peak memory of a process so far, MiB; 0 when it is gone. */
function peakMib(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

describe('the parser process', () => {
  it.each([
    ['ecb', 'ecb/eurofxref-hist-90d.xml', ''],
    ['bis', 'bis/WS_LONG_CPI_csv_col.csv', ''],
    ['fred', 'fred/GDP-vintages.json', 'GDP'],
    ['oecd', 'oecd/QGDP.csv', ''],
    ['world-bank', 'world-bank/exports.json', ''],
    ['comtrade', 'comtrade/totals.json', ''],
  ])('gives the items of %s in their order, as they are parsed here', async (source, name, dataset) => {
    const given = document(readFileSync(fixturePath(name)), { dataset })
    const here = [...(openSources()[source]?.parse(given) ?? [])]
    expect(here.length).toBeGreaterThan(0)
    const parser = open()
    expect(await all(parser, source, given)).toEqual(here)
    // Again, and by the same process.
    const { pid } = parser
    expect(await all(parser, source, given)).toEqual(here)
    expect(parser.pid).toBe(pid)
  })

  it('gives more items than a batch holds, and takes documents in their turn', async () => {
    const head =
      '# almanac: prices 1\n# publisher: p\n# licence: l\n# url: https://example.org/\n# source: ABC\n# symbol: XAU-USD\n'
    const rows = Array.from({ length: 5_000 }, (_, i) => `${new Date(1.6e12 + i * 1_000).toISOString()},${i + 1}\n`)
    const ticks = document(`${head}observed_at,price\n${rows.join('')}`)
    const parser = open()
    const [first, refused, last] = await Promise.allSettled([
      all(parser, 'file', ticks),
      all(parser, 'file', document('nothing of ours\n')),
      all(parser, 'file', ticks),
    ])
    expect(first).toEqual({ status: 'fulfilled', value: [...(openSources().file?.parse(ticks) ?? [])] })
    expect(refused).toMatchObject({ reason: { name: 'DocumentError', reason: 'unknown_format', location: 'line 1' } })
    expect(last).toEqual(first)
  })

  it.each(['heap', 'buffers', 'strings'])(
    'that fills %s ends within its memory, and the next document is read',
    async (what) => {
      const parser = limited({ heapMib: 256, memoryMib: 512 })
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
      expect(peak).toBeLessThan(512 + 128)
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

  it.each(['death', 'exit'])('that ends by %s fails one document only', async (what) => {
    const parser = limited({})
    await expect(all(parser, 'file', doing(what))).rejects.toMatchObject({ reason: 'parser_failed' })
    expect(await all(parser, 'file', doing('nothing'))).toEqual([])
  })

  it('ends when whoever asked wants no more: by signal, by leaving, or for want of work', async () => {
    const reason = new Error('shutting down')
    const stop = new AbortController()
    const parser = limited({ idleMs: 50 })
    const asked = all(parser, 'file', doing('silence'), stop.signal)
    await until('it runs', () => parser.pid !== undefined)
    stop.abort(reason)
    await expect(asked).rejects.toBe(reason)
    expect(parser.pid).toBeUndefined()
    expect(await all(parser, 'file', doing('nothing'))).toEqual([])
    await until('it has ended', () => parser.pid === undefined)
    const real = open()
    for await (const item of real.parse('ecb', document(readFileSync(fixturePath('ecb/eurofxref-hist-90d.xml'))))) {
      expect(item.kind).toBe('price')
      break
    }
    expect(real.pid).toBeUndefined()
  })

  it('has none of the service’s environment', async () => {
    const parser = open()
    const asked = all(parser, 'bis', document('x'))
    await until('it runs', () => parser.pid !== undefined)
    const environment = readFileSync(`/proc/${parser.pid}/environ`, 'utf8')
    expect(environment).not.toMatch(/^(?!PATH=|TZ=|NODE_CHANNEL|PWD=|OLDPWD=|SHLVL=|_=)./m)
    await asked.catch(() => undefined)
  })
})

/** Documents that took the memory of the process that read them, or its time. */
describe('an attack is refused with its reason', () => {
  const zipped = (text: string) => zipSync({ 'x.csv': strToU8(text) })
  const attacks: [string, string, () => Uint8Array | string, RegExp][] = [
    ['60 MB of elements in 58 KB', 'ecb', () => zipped(`<r>${'<a/>'.repeat(15_000_000)}</r>`), /^too_large$/],
    ['30 million rows in 58 KB', 'ecb', () => zipped(`Date,USD\n${',\n'.repeat(30_000_000)}`), /^too_large$/],
    ['an archive that unpacks to more', 'ecb', () => zipped('x'.repeat(70_000_000)), /^too_large$/],
    ['20 million numbers', 'world-bank', () => `[${'0,'.repeat(20_000_000)}0]`, /^too_large$/],
    ['arrays 5,000 deep', 'fred', () => `{"observations":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, /^too_large$/],
    ['elements 100,000 deep', 'ecb', () => `${'<a b="/>">'.repeat(100_000)}${'</a>'.repeat(100_000)}`, /^too_large$/],
    ['one line of 60 MB', 'oecd', () => `${'x'.repeat(60_000_000)}\n`, /^too_large$/],
    ['an open quote and 60 MB', 'oecd', () => `"${'x,\n'.repeat(1_500_000)}\n`, /^too_large$/],
    ['a million columns', 'ecb', () => `Date,${'X,'.repeat(500_000)}\n`, /^too_large$/],
    ['empty lines only', 'file', () => '\n'.repeat(60_000_000), /^empty$/],
  ]
  it.each(attacks)('%s', { timeout: 120_000 }, async (_, source, make, reason) => {
    const parser = open()
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, peakMib(parser.pid))), 20)
    onTestFinished(() => clearInterval(watch))
    const outcome = all(parser, source, document(make()))
    await expect(outcome).rejects.toMatchObject({ name: 'DocumentError', reason: expect.stringMatching(reason) })
    expect(peak).toBeLessThan(processLimits.memoryMib + 128)
  })
})
