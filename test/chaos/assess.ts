import { countries, held, indicators } from './drive/figures.ts'
import { pathOf } from './drive/poller.ts'
import { resultOf, spawnAlmanac } from './drive/program.ts'
import type { Line } from './journal-lines.ts'
import { judgeEvents, judgeReceived } from './judge/events.ts'
import { judgeQuota } from './judge/quota.ts'
import { expectedDerived, judgeReleases } from './judge/releases.ts'
import { expectedTables, judgeTables, queries, type Row, type Tables } from './judge/tables.ts'
import { judgeTicks } from './judge/ticks.ts'
import type { Random } from './random.ts'
import { storeRows } from './store.ts'
import { becomes } from './wait.ts'
import type { World } from './world.ts'

/** How long what is served may take to catch up with the journal. */
const WITHIN_MS = 90_000
const PAGE = 500

export type Extent = {
  /** First offsets of what is compared with the tables; absent: everything. */
  readonly since?: Since
  /** Also prints the whole journal anew, and asks `almanac verify`. */
  readonly isThorough: boolean
  /** How long to wait for what is behind; 0: not at all. */
  readonly withinMs?: number
}

/** Judges what the service holds and serves once it has come to rest. */
export async function assess(
  world: World,
  random: Random,
  { since, isThorough, withinMs = WITHIN_MS }: Extent,
): Promise<string[]> {
  const { journal, ledger, feed, priceFiles, poller, subscribers } = world
  const violations = [
    ...(await readToRest(world, since === undefined, withinMs)),
    ...poller.violations,
    ...subscribers.flatMap((subscriber) => subscriber.violations),
    ...judgeReleases(journal.releases, ledger),
    ...judgeEvents(journal.events, journal.releases, journal.signals),
    ...judgeTicks(journal, feed.sent, priceFiles.written),
    ...(await assessStreams(world, withinMs)),
    ...(await assessFigures(world, random, withinMs)),
    ...(await assessPrices(world, withinMs)),
    ...(await assessPages(world, withinMs)),
    ...(await assessTables(world, since, withinMs)),
    ...(await assessQuota(world, withinMs)),
  ]
  if (!isThorough) return violations
  return [...violations, ...(await journal.rereadAll()), ...(await assessVerify(world, withinMs))]
}

/** The first offsets that a partial assessment compares with the tables. */
export type Since = {
  readonly releases: number
  readonly events: number
  readonly quarantine: number
  readonly ticks: readonly number[]
}

const endOf = (lines: readonly Line<unknown>[]): number => (lines.at(-1)?.offset ?? -1) + 1

export const sinceNow = ({ journal }: World): Since => ({
  releases: endOf(journal.releases),
  events: endOf(journal.events),
  quarantine: endOf(journal.quarantine),
  ticks: journal.ticks.map(endOf),
})

/**
 * Reads the journal on until all figures, the last tick that the feed sent, and an event for each release and signal are
 * there. Returns what is still missing.
 */
async function readToRest({ journal, feed, ledger }: World, isFull: boolean, withinMs: number): Promise<string[]> {
  const figures = ledger.chains.size + expectedDerived(ledger).size
  let missing: string[] = []
  await becomes(async () => {
    await (isFull ? journal.readAllOn() : journal.readBusyOn())
    const { releases, signals, events } = journal
    const sent = feed.sent.findLast(({ isOpen }) => isOpen)?.ticks.at(-1)
    const places = new Set(releases.map(({ value }) => `${value.series.id}/${value.period}`))
    missing = [
      ...(sent && !journal.ticks.flat().some(({ value }) => value.price === sent.price)
        ? [`the last tick of the feed, at ${sent.price}, is not in the journal`]
        : []),
      ...(places.size < figures ? [`${places.size} of ${figures} figures are in the journal`] : []),
      ...(events.length === releases.length + signals.length
        ? []
        : [`there are ${events.length} events of ${releases.length} releases and ${signals.length} signals`]),
    ]
    return missing.length === 0
  }, withinMs)
  return missing
}

async function assessStreams({ subscribers, journal }: World, withinMs: number): Promise<string[]> {
  const all = journal.events.length
  await becomes(() => subscribers.every(({ received }) => received.length >= all), withinMs)
  // What came after the journal was read is judged in the next round.
  return subscribers.flatMap(({ received }, i) =>
    judgeReceived(`subscriber ${i}`, received.slice(0, all), journal.events),
  )
}

/** The newest figure of each series, some older ones, and the history of exports of one country, page by page. */
async function assessFigures({ rest, ledger }: World, random: Random, withinMs: number): Promise<string[]> {
  const violations: string[] = []
  const expect = async (path: string, wanted: string | undefined): Promise<void> => {
    let got: string | undefined
    const isRight = await becomes(async () => {
      got = (await rest.get<{ value: string }>(path))?.value
      return got === wanted
    }, withinMs)
    if (!isRight) violations.push(`REST ${path}: expected ${wanted}, found ${got}`)
  }
  for (const country of countries) {
    for (const indicator of indicators) {
      const months = ledger.months(country, indicator)
      for (const [period, query] of [
        [months.at(-1), ''],
        [months[random.below(months.length)], '?period='],
      ] as const) {
        if (period === undefined) continue
        const tenths = ledger.current(country, indicator, period) ?? 0
        await expect(`${pathOf(country, indicator)}${query && query + period}`, held(indicator, tenths))
      }
    }
  }
  return [...violations, ...(await assessHistory({ rest, ledger }, random.pick(countries), withinMs))]
}

async function assessHistory(
  { rest, ledger }: Pick<World, 'rest' | 'ledger'>,
  country: string,
  withinMs: number,
): Promise<string[]> {
  const months = ledger.months(country, 'trade-exports')
  if (months.length === 0) return []
  const wanted = months.map(
    (period) => `${period} ${held('trade-exports', ledger.current(country, 'trade-exports', period) ?? 0)}`,
  )
  let found: string[] = []
  const isRight = await becomes(async () => {
    found = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '?start=2000&limit=50' : `?cursor=${encodeURIComponent(cursor)}`
      const page: HistoryPage | undefined = await rest.get(
        `/v1/economics/${country}/trade/exports/observations${query}`,
      )
      if (!page) return false
      found.push(...page.observations.map(({ period, value }) => `${period} ${value}`))
      cursor = page.next_cursor
    }
    found = found.filter((line) => /^\d{4}-\d{2} /.test(line))
    return found.join() === wanted.join()
  }, withinMs)
  return isRight ? [] : [`REST history of exports of ${country}: expected ${wanted}, found ${found}`]
}

type HistoryPage = {
  readonly observations: readonly { readonly period: string; readonly value: string }[]
  readonly next_cursor: string | null
}

/** Gold must be served at the newest price that was written. */
async function assessPrices({ rest, journal }: World, withinMs: number): Promise<string[]> {
  let newest: { observed_at: string; price: string } | undefined
  for (const { value } of journal.ticks.flat())
    if (value.kind === 'price' && value.symbol === 'XAU-USD' && value.observed_at >= (newest?.observed_at ?? ''))
      newest = value
  if (!newest) return []
  let got: string | undefined
  const isRight = await becomes(async () => {
    got = (await rest.get<{ price: string }>('/v1/commodities/spot/XAU/USD'))?.price
    return got === newest?.price
  }, withinMs)
  return isRight ? [] : [`REST serves gold at ${got}; the newest tick is ${newest.price} of ${newest.observed_at}`]
}

type EventPage = {
  readonly events: readonly {
    readonly sequence: string
    readonly id: string
    readonly subject: string
    readonly data: unknown
  }[]
  readonly next_cursor: string
}

/** Pages on through the events over REST, and compares all that was ever paged through. */
async function assessPages({ rest, pages, journal }: World, withinMs: number): Promise<string[]> {
  await becomes(async () => {
    while (pages.events.length < journal.events.length) {
      const page = await rest.get<EventPage>(`/v1/events?limit=${PAGE}&cursor=${encodeURIComponent(pages.cursor)}`)
      if (!page || page.events.length === 0) return false
      for (const { sequence, id, subject, data } of page.events)
        pages.events.push({ sequence: Number(sequence), id, subject, data })
      pages.cursor = page.next_cursor
    }
    return true
  }, withinMs)
  return judgeReceived('pages of events over REST', pages.events.slice(0, journal.events.length), journal.events)
}

async function assessTables(
  { settings, journal }: World,
  since: Since | undefined,
  withinMs: number,
): Promise<string[]> {
  const dataDir = settings.ALMANAC_DATA_DIR ?? ''
  const from = since ?? { releases: 0, events: 0, quarantine: 0, ticks: journal.ticks.map(() => 0) }
  const expected = expectedTables({
    releases: journal.releases.filter(({ offset }) => offset >= from.releases),
    events: journal.events.filter(({ offset }) => offset >= from.events),
    quarantine: journal.quarantine.filter(({ offset }) => offset >= from.quarantine),
    ticks: journal.ticks.flatMap((lines, partition) =>
      lines.filter(({ offset }) => offset >= (from.ticks[partition] ?? 0)),
    ),
    allTicks: journal.ticks.flat(),
  })
  const ends = {
    releases: endOf(journal.releases),
    events: endOf(journal.events),
    quarantine: endOf(journal.quarantine),
  }
  const tickRanges = journal.ticks.map(
    (lines, p) => `(_partition = ${p} AND _offset >= ${from.ticks[p] ?? 0} AND _offset < ${endOf(lines)})`,
  )
  const range = (topic: keyof typeof ends) => `AND _offset >= ${from[topic]} AND _offset < ${ends[topic]}`
  const conditions: Record<keyof Tables, string> = {
    vintages: range('releases'),
    events: range('events'),
    quarantine: range('quarantine'),
    ticks: `AND (${tickRanges.join(' OR ')})`,
    candles: '',
  }
  const rowsOf = (table: keyof Tables): Promise<Row[]> =>
    storeRows<Row>(dataDir, `${queries[table]} ${conditions[table]}`)
  let found: Tables | undefined
  let trouble: unknown
  await becomes(async () => {
    try {
      found = {
        vintages: await rowsOf('vintages'),
        events: await rowsOf('events'),
        ticks: await rowsOf('ticks'),
        quarantine: await rowsOf('quarantine'),
        candles: await rowsOf('candles'),
      }
      return hasReached(expected, found)
    } catch (error) {
      // The store may be starting again: asked once more until the time is over.
      trouble = error
      return false
    }
  }, withinMs)
  if (!found) return [`the store cannot be asked: ${trouble}`]
  const behind = hasReached(expected, found) ? [] : ['the tables do not reach the end of the journal']
  return [...behind, ...judgeTables(expected, found)]
}

/** Whether the tables have as many rows as they must have, and the candles as many ticks: earlier they are just behind. */
function hasReached(expected: Tables, found: Tables): boolean {
  const ticksIn = (rows: readonly Row[]) => rows.reduce((sum, { count }) => sum + Number(count), 0)
  return (
    found.vintages.length >= expected.vintages.length &&
    found.events.length >= expected.events.length &&
    found.ticks.length >= expected.ticks.length &&
    found.quarantine.length >= expected.quarantine.length &&
    ticksIn(found.candles) >= ticksIn(expected.candles)
  )
}

/** Streams are opened meanwhile: what was granted before the question is the least, what was granted after it the most. */
async function assessQuota({ rest, tally }: World, withinMs: number): Promise<string[]> {
  let used: number | undefined
  let before = rest.calls
  const isAnswered = await becomes(async () => {
    before = rest.calls
    used = (await rest.get<{ used: number }>('/v1/usage', true))?.used
    return used !== undefined
  }, withinMs)
  if (!isAnswered || used === undefined) return ['the usage of the key cannot be asked']
  const after = rest.calls
  const most = after.granted + after.uncertain - before.granted
  return judgeQuota(used, { granted: before.granted, uncertain: most }, tally.kills + 2)
}

async function assessVerify({ settings }: World, withinMs: number): Promise<string[]> {
  let output = ''
  const isVerified = await becomes(async () => {
    const { code, stdout, stderr } = await resultOf(spawnAlmanac(['verify'], settings))
    output = stdout + stderr
    return code === 0
  }, withinMs)
  return isVerified ? [] : [`almanac verify: ${output}`]
}
