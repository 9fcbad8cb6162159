import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ReleaseDetail, releaseIdIn, releasePath } from '../../contracts/release-detail.ts'
import type { Cpi } from '../../contracts/resources.ts'
import { multiply } from '../../domain/decimal.ts'
import { runCommand } from '../support/command.ts'
import { until } from '../support/journal.ts'
import { useService } from '../support/use-service.ts'

/**
 * Implausible figures and prices in whole processes: held, not served and in no candle, approved by a person, then served and
 * in the candle of their time. The tests share a service, and each leaves nothing held.
 */
const own = useService(['cpi-USA-bls.csv'])
/** Between two looks: a key has few calls a minute. */
const POLL_MS = 250

const get = async (path: string): Promise<Response> => {
  const answer = await fetch(own.service.base + path, { headers: own.headers })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer
}
const cpi = (period: string) => get(`/v1/economics/USA/cpi?period=${period}`)
// Casts: the contracts of these addresses.
const served = async (period: string) => ((await (await cpi(period)).json()) as Cpi).value
const releaseOf = async (period: string) => {
  const id = releaseIdIn((await cpi(period)).headers.get('link') ?? '')
  return (await (await get(releasePath(id ?? ''))).json()) as ReleaseDetail
}
const run = (...args: string[]) => runCommand(args, { ALMANAC_DATA_DIR: own.service.dataDir })

it('a document whose figures are ten times those on record changes nothing until somebody approves it', async () => {
  const sample = await readFile(join(import.meta.dirname, '../../sample/figures/cpi-USA-bls.csv'), 'utf8')
  const [, period = '', value = ''] = /^(\d{4}-\d{2}),([\d.]+)/m.exec(sample) ?? []
  await until('the sample is served', async () => (await served(period).catch(() => '')) === value, POLL_MS)
  const file = join(own.service.dataDir, 'tenfold.csv')
  await writeFile(
    file,
    sample.replace(/^(\d{4}-\d{2},)([\d.]+)/gm, (_, month, printed) => `${month}${printed}e1`),
  )

  const ingested = await run('ingest', 'file', file)
  expect(ingested, ingested.stderr).toMatchObject({ code: 3 })
  expect(ingested.stdout).toMatch(
    /held for review: held_scale at USA\.cpi\.M\..*values are about 10 times those on record/,
  )
  expect(ingested.stdout).toMatch(/^total: \d+ held$/m)
  expect(await served(period)).toBe(value)
  expect((await releaseOf(period)).approval).toBeNull()

  const listed = await run('quarantine', 'list', '--held', '--json')
  const held = JSON.parse(listed.stdout) as { input_id: string; reason: string }
  expect(held.reason).toBe('held_scale')
  expect(await run('quarantine', 'retry', held.input_id)).toMatchObject({ code: 3 })
  expect(await run('quarantine', 'approve', held.input_id)).toMatchObject({ code: 2 })
  const approved = await run('quarantine', 'approve', held.input_id, '--because', 'the office said so', '--by', 'Ada')
  expect(approved.stderr).toBe('')
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/approved: \d+ revised/) })
  await until('the approved figure is served', async () => Number(await served(period)) === 10 * Number(value), POLL_MS)
  expect((await releaseOf(period)).approval).toEqual({
    held_for: 'held_scale',
    because: 'the office said so',
    input_id: held.input_id,
  })
  expect((await run('quarantine', 'list', '--held')).stdout).toMatch(/^Nothing is held for review/)
  const approvals = await run('quarantine', 'list', '--reason', 'approved')
  expect(approvals.stdout).toContain('Ada: the office said so')
  expect(approvals.stdout).toContain(held.input_id)
})

const ingest = async (name: string, text: string) => {
  const file = join(own.service.dataDir, name)
  await writeFile(file, text)
  return run('ingest', 'file', file)
}

type Candle = { readonly start: string; readonly close: string; readonly ticks: number }
const path = (symbol: string, day: string) => `/v1/prices/${symbol}/candles?interval=1d&start=${day}&end=${day}`
const candlesOf = async (symbol: string, day: string): Promise<Candle[]> => {
  const answer = await fetch(own.service.base + path(symbol, day), { headers: own.headers })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  // Cast: the contract of this address.
  return ((await answer.json()) as { candles: Candle[] }).candles
}
const untilClose = (symbol: string, day: string, close: string) =>
  until(
    `the candle of ${symbol} on ${day} closes at ${close}`,
    async () => (await candlesOf(symbol, day))[0]?.close === close,
    POLL_MS,
  )

it('a tenfold reference rate is in no candle until somebody approves it', async () => {
  const sample = await readFile(join(import.meta.dirname, '../../sample/prices/euro-reference-rates-ecb.csv'), 'utf8')
  const rates = [...sample.matchAll(/^EUR-USD,(\d{4}-\d{2}-\d{2})\S*,([\d.]+)$/gm)]
  const [[row = '', day = '', rate = ''] = []] = rates.slice(10)
  const wrong = sample.replace(row, row.replace(rate, `${rate}e1`))

  const ingested = await ingest('one-wrong.csv', wrong)
  expect(ingested, ingested.stderr).toMatchObject({ code: 3 })
  expect(ingested.stdout).toMatch(/held for review: held_jump at EUR-USD, .*: EUR-USD: .* is 11\.\d+, after 1\.\d+ /)
  expect(ingested.stdout).toMatch(/^total: 1 held, \d+ prices$/m)
  expect(ingested.stdout).toContain('implausible figures or prices wait for your review')
  const [[, next = '', after = ''] = []] = rates.slice(11)
  await untilClose('EUR-USD', next, after)
  expect(await candlesOf('EUR-USD', day)).toEqual([])

  const listed = await run('quarantine', 'list', '--held', '--json')
  const held = JSON.parse(listed.stdout) as { input_id: string; reason: string }
  expect(held.reason).toBe('held_jump')
  const shown = await run('quarantine', 'show', held.input_id)
  expect(shown.stdout).toContain(`"printed":"${rate}e1"`)
  expect(await run('quarantine', 'retry', held.input_id)).toMatchObject({ code: 3 })
  const approved = await run('quarantine', 'approve', held.input_id, '--because', 'the bank confirms it', '--by', 'Ada')
  expect(approved.stderr).toBe('')
  expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(/approved: 1 price\b/) })
  await untilClose('EUR-USD', day, multiply(rate, '10'))
  expect((await run('quarantine', 'list', '--held')).stdout).toMatch(/^Nothing is held for review/)
  expect((await run('quarantine', 'list', '--reason', 'approved')).stdout).toContain('Ada: the bank confirms it')

  const again = await ingest('one-wrong.csv', wrong)
  expect(again, again.stdout).toMatchObject({ code: 0 })
  expect(again.stdout).toMatch(/^total: \d+ unchanged$/m)
})

it('an approved price of a file of one’s own is in its candle, although later prices are on record', async () => {
  const head =
    '# almanac: prices 1\n# publisher: Test\n# licence: CC0\n# url: urn:test\n# source: TEST\nsymbol,observed_at,price\n'
  const day = (n: number, price: string) => `XPD-USD,2026-04-0${n}T12:00:00Z,${price}\n`
  const ingested = await ingest('own.csv', head + day(1, '1500') + day(2, '1510') + day(3, '15200') + day(4, '1530'))
  expect(ingested, ingested.stderr).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^total: 1 held, 3 prices$/m),
  })
  await untilClose('XPD-USD', '2026-04-04', '1530')
  expect(await candlesOf('XPD-USD', '2026-04-03')).toEqual([])
  const { input_id } = JSON.parse((await run('quarantine', 'list', '--held', '--json')).stdout) as { input_id: string }
  for (const outcome of [/approved: 1 price\b/, /approved: 1 unchanged/]) {
    const approved = await run('quarantine', 'approve', input_id, '--because', 'it was a squeeze')
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringMatching(outcome) })
  }
  await untilClose('XPD-USD', '2026-04-03', '15200')
  expect(await candlesOf('XPD-USD', '2026-04-03')).toMatchObject([{ ticks: 1 }])
  const verified = await run('verify')
  expect(verified, verified.stdout).toMatchObject({ code: 0 })
})
