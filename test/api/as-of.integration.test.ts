import { join } from 'node:path'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { fredCalls } from '../../api/fred/calls.ts'
import { datedReads } from '../../cli/processes/dated-reads.ts'
import type { EventPage } from '../../contracts/events.ts'
import type { VintageList } from '../../contracts/histories.ts'
import { isDatable, type Operation } from '../../contracts/operation.ts'
import { operations } from '../../contracts/operations.ts'
import { pricesAt } from '../../domain/dated-prices.ts'
import { addDays } from '../../domain/day.ts'
import { clockOf, endOfDay } from '../../domain/day-of-knowledge.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { Lineage } from '../../domain/lineage.ts'
import { endOfPeriod, shiftPeriod } from '../../domain/period.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { events } from '../../projections/views/events/project.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { project, useWorlds } from '../projections/support/world.ts'
import { cpi, type Document, dayByDay, documents, itemsOf, print } from '../support/dated-documents.ts'
import { PriceHistory } from '../support/price-history.ts'
import { whileProcessing } from '../support/processing.ts'
import { flowSeries, testDocument, testSeries } from '../support/releases.ts'
import { ask, bearer, world } from './support.ts'

const stored = useWorlds()
const noPrices = new PriceHistory()
const NOW = Date.parse('2026-06-01T00:00:00.000Z')

/** Prices before, on and after the days that are asked for. */
const lastPrices = ['2024-12-02', '2026-03-03', '2026-03-13', '2026-03-20'].flatMap((day, i) =>
  ['EUR-USD', 'XAG-USD'].map((symbol) => ({
    symbol,
    source: 'TEST',
    price: `1.${i + 1}`,
    observed_at: `${day}T16:00:00.000Z`,
  })),
)
const pricesUntil = (at: number) => lastPrices.filter(({ observed_at }) => Date.parse(observed_at) < at).slice(-2)

/** Serves what comes of documents that are read one after the other. */
async function served(
  all: readonly Document[],
  now: Date,
  prices = pricesAt(NOW, pricesUntil(NOW)),
): Promise<FastifyInstance> {
  const { journal, client, journalDir } = await stored()
  const checkpoints = fileCheckpoints(join(journalDir, 'checkpoints'), new Lineage(journal))
  const acceptor = new Acceptor(journal, { now: () => NOW })
  await whileProcessing(journal, checkpoints, async () => {
    for (const document of all) if (document.length > 0) await acceptor.accept(testDocument, itemsOf(document))
  })
  await project(vintages, { journal, client })
  await project(events, { journal, client })
  const [figures, releaseIndex] = [new FigureBoard(), new ReleaseIndex()]
  for await (const { records } of journal.readToEnd('releases', 0))
    for (const { value } of records) {
      figures.apply(value)
      releaseIndex.apply(value)
    }
  const { app } = await world({
    figures,
    releaseIndex,
    history: vintageQueries(client),
    vintages: vintageQueries(client),
    events: eventQueries(client),
    // This store has no prices: test/projections has what is read of them as of a day.
    asOf: (day, isEstimated) => ({
      ...datedReads(client, day, isEstimated),
      candles: { ...noPrices.candles, lastPrices: async () => pricesUntil(endOfDay(day)) },
      ticks: noPrices.ticks,
    }),
    prices,
    quotes: { quote: () => undefined },
    newestRelease: () => -1,
    recentReleases: { since: () => undefined },
    newestEvent: async () => (await eventQueries(client).bounds())?.last.sequence ?? 0,
    journalReaches: () => true,
    clock: () => now,
  })
  return app
}

type Known = { readonly releases: readonly string[]; readonly events: readonly string[] }

/** The other events are of the calendar, whose processor has the clock of this machine. */
const ofReleases = ['published', 'revised', 'withdrawn'].map((kind) => `type=economics.release.${kind}`).join('&')

const ofPanel = ['cpi', 'inflation', 'gdp-growth', 'trade'].map((indicator) => `indicator=${indicator}`).join('&')

const filledPath = (path: string) =>
  path
    .replace('{symbol}', 'EUR-USD')
    .replace('{commodity}', 'XAG')
    .replace('{currency}', 'EUR')
    .replace('{base}', 'EUR')

/** What is asked of an operation. One that is added is asked by the same rule, or has to be told here how. */
function addressesOf({ path, query }: Operation, { releases, events }: Known): string[] {
  const filled = path.includes('{country}')
    ? ['MNE', 'USA', ...('limit' in query.properties ? [] : ['XYZ'])].map((country) =>
        path.replace('{country}', country),
      )
    : path.includes('{release_id}')
      ? releases.map((id) => path.replace('{release_id}', id))
      : path.includes('{event_id}')
        ? events.map((id) => path.replace('{event_id}', id))
        : [filledPath(path)]
  const takes = (name: string) => name in query.properties
  const queries = takes('value')
    ? ['2024-02', '2024'].map((period) => `?country=MNE&indicator=cpi&period=${period}&value=101`)
    : takes('q')
      ? ['cpi', 'inflation+Montenegro', 'trade+USA+2025', 'silver', 'gold'].map((text) => `?q=${text}`)
      : takes('about')
        ? ['M&about=rows', 'Q&about=rows', 'A&about=rows', 'M&format=arrow'].map(
            (frequency) => `?country=MNE&country=USA&${ofPanel}&frequency=${frequency}`,
          )
        : takes('symbol')
          ? ['?symbol=EUR-USD&symbol=XAG-EUR&interval=1w&start=2026-01-01']
          : takes('type')
            ? [`?limit=1000&${ofReleases}`, `?limit=2&${ofReleases}&country=USA`]
            : [
                ...(takes('limit') ? ['?limit=1000', '?limit=2'] : ['']),
                ...(takes('period') ? ['2024-02', '2025-Q2', '2024'].map((period) => `?period=${period}`) : []),
                ...(takes('frequency') ? ['M', 'Q', 'A'].map((frequency) => `?frequency=${frequency}&limit=1000`) : []),
                ...(takes('units')
                  ? ['?units=pc1&limit=1000', '?frequency=A&aggregation_method=avg', '?sort=desc&limit=2']
                  : []),
                ...(takes('print') ? ['?print=first&limit=1000', '?print=2&as_of=2026-03-05'] : []),
                ...(takes('layout') ? ['?layout=long', '?layout=matrix'] : []),
                ...(takes('as_of') ? ['?as_of=2026-03-05&limit=1000'] : []),
                ...(takes('format') ? ['?format=csv'] : []),
                ...(takes('country') ? ['?country=USA', '?country=MNE&country=USA'] : []),
              ]
  // The drawn documents have no figures of these, whose handlers are those of the others.
  if (undrawn.includes(path.split('/')[4] ?? '')) return [`${filled[0]}${queries[0]}`]
  return filled.flatMap((one) => queries.map((own) => one + own))
}

/** Members that say when, where and under which name something was recorded, and not what was published. */
const recording = new Set(
  ['as_of', 'cursor', 'next_cursor', 'recorded_at', 'last_recorded_at', 'time', 'instance', 'request_id'].concat(
    // Ids are made from what a release follows, and a document that came late is read in other company.
    ['id', 'release_id', 'revises', 'revised_by', 'event', 'location', 'inputs', 'sequence', 'late', 'redates', 'link'],
  ),
)

type Answered = { readonly status: number; readonly body: unknown; readonly headers: unknown }

async function answer(app: FastifyInstance, address: string, prefix = ''): Promise<Answered> {
  const { statusCode: status, body: text, headers } = await ask(app, address)
  const own = prefix === '' ? text : text.replaceAll(prefix, '')
  const isJson = String(headers['content-type']).includes('json')
  const body = isJson ? JSON.parse(own, (name, value) => (recording.has(name) ? undefined : value)) : own
  const { 'almanac-periods-ended-since': ended, 'almanac-released-on-basis': basis } = headers
  return { status, body, headers: { ended, basis } }
}

/** An answer of a surface beside /v1, without what says when something was recorded. */
async function get(app: FastifyInstance, url: string) {
  const { statusCode, body } = await app.inject({ url, headers: bearer() })
  return { statusCode, body: body.replace(/"last_updated":"[^"]*",/g, '') }
}

/** Compares the FRED-style surface for some series that are known now. Returns how many answers had something. */
async function compareSeries(whole: FastifyInstance, past: FastifyInstance, day: string): Promise<number> {
  const found = await get(whole, `${fredCalls.search.url}?search_text=test&file_type=json`)
  const all = (JSON.parse(found.body) as { seriess: { id: string }[] }).seriess.map(({ id }) => id)
  const ids = all.filter((_, i) => i % Math.ceil(all.length / 4) === 0)
  const always = 'realtime_start=1776-07-04&realtime_end=9999-12-31'
  const asked = [`${fredCalls.search.url}?search_text=test&file_type=json`].concat(
    ids.flatMap((id) => [
      `${fredCalls.series.url}?series_id=${id}&file_type=json`,
      ...['', `&${always}`, '&realtime_end=2026-03-30'].map(
        (days) => `${fredCalls.observations.url}?series_id=${id}${days}`,
      ),
      `${fredCalls.vintageDates.url}?series_id=${id}`,
      `${fredCalls.graph.url}?id=${id}`,
    ]),
  )
  return compareAnswers(whole, past, day, asked)
}

const sdmxAddresses = [
  '/sdmx/2.1/structure',
  '/sdmx/2.1/dataflow/ALMANAC/CPI?references=all',
  ...['CPI', 'CPI_VINTAGES', 'INFLATION/M.MNE+USA', 'TRADE_VINTAGES/.USA'].flatMap((flow) => [
    `/sdmx/2.1/data/${flow}`,
    `/sdmx/2.1/availableconstraint/${flow}`,
  ]),
  '/sdmx/2.1/data/INFLATION?includeHistory=true',
  '/sdmx/2.1/data/CPI?updatedAfter=2026-03-02',
  '/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?asOf=2026-03-02',
  '/sdmx/3.0/availability/dataflow/ALMANAC/CPI_VINTAGES/1.0?references=all',
]

/** Compares the answers at some addresses. Returns how many had something. */
async function compareAnswers(
  whole: FastifyInstance,
  past: FastifyInstance,
  day: string,
  asked: readonly string[],
): Promise<number> {
  let answered = 0
  for (const url of asked) {
    const [now, then] = [await get(whole, `/asof/${day}${url}`), await get(past, url)]
    // What is not known of a series differs: as of a day, an answer says since when there is evidence.
    if (then.statusCode === 404) expect(now.statusCode, url).toBe(404)
    else expect(now, `${day} ${url}`).toEqual(then)
    if (now.statusCode === 200) answered++
  }
  return answered
}

const dated = operations.filter(isDatable)

/** Compares all operations below a prefix with those of a service that knows no more. Returns which had something. */
async function compareOperations(
  whole: FastifyInstance,
  past: FastifyInstance,
  prefix: string,
  known: Known,
  some: (addresses: readonly string[], operation: Operation) => readonly string[],
) {
  const answeredWell = new Set<string>()
  for (const operation of dated) {
    for (const address of some(addressesOf(operation, known), operation)) {
      const [now, then] = await Promise.all([answer(whole, prefix + address, prefix), answer(past, address)])
      if (now.status === 200) answeredWell.add(operation.id)
      const codeOf = ({ body }: Answered) => (body as { readonly code?: string } | null)?.code
      const isEstimated = JSON.stringify(now).includes('estimated')
      if (isEstimated) answeredWell.add(`estimated ${operation.id}`)
      if (codeOf(now) === 'no_dated_evidence' && codeOf(then) !== 'no_dated_evidence')
        expect(then, address).toMatchObject({ status: 404, body: { code: 'no_complete_publication' } })
      else expect(asPublished(now), prefix + address).toEqual(then)
    }
  }
  return answeredWell
}

/** The service of the past has read on its day what has an estimated date below the prefix. */
const asPublished = (answered: Answered): Answered =>
  JSON.parse(JSON.stringify(answered).replace(/\bestimated\b/g, 'publisher'))
/** Histories of all indicators have one handler, so that each is asked a third of it all, and their first all of it. */
const inTurns = (addresses: readonly string[], { id, path, query }: Operation) =>
  !path.includes('{country}') || !('limit' in query.properties) || path.includes('/cpi/')
    ? addresses
    : addresses.filter((_, i) => (i + dated.findIndex((one) => one.id === id)) % 3 === 0)

const undrawn = ['unemployment', 'labour-force-participation', 'gdp']

test('what is served as of a day is what a service has that only read what was published by then', async () => {
  const seed = Number(process.env.ALMANAC_TEST_SEED ?? 8)
  const answeredWell = new Set<string>()
  let seriesAsked = 0
  let flowsAsked = 0
  for (const { documents: drawn } of fc.sample(documents, { numRuns: 1, seed })) {
    const days = dayByDay(drawn)
    const whole = await served(days, new Date(NOW))
    const list = (await ask(whole, '/v1/economics/MNE/cpi/vintages?limit=1000')).json<VintageList>()
    const page = (await ask(whole, `/v1/events?limit=1000&${ofReleases}`)).json<EventPage>()
    const every = Math.ceil(page.events.length / 5)
    const known = {
      releases: list.vintages.map(({ release_id }) => release_id).slice(0, 5),
      events: page.events.filter((_, i) => i % every === 0).map(({ id }) => id),
    }
    for (const day of ['2026-03-03', '2026-03-14']) {
      const past = await served(
        days.filter(([first]) => first && first.on <= day),
        clockOf(day),
        pricesAt(endOfDay(day) - 1, pricesUntil(endOfDay(day))),
      )
      seriesAsked += await compareSeries(whole, past, day)
      flowsAsked += await compareAnswers(whole, past, day, sdmxAddresses)
      for (const id of await compareOperations(whole, past, `/asof/${day}`, known, inTurns)) answeredWell.add(id)
    }
  }
  expect(seriesAsked).toBeGreaterThan(10)
  expect(flowsAsked).toBeGreaterThan(sdmxAddresses.length)
  const unanswered = dated.filter(
    ({ id, path }) => !answeredWell.has(id) && !undrawn.includes(path.split('/')[4] ?? ''),
  )
  expect(unanswered.map(({ id }) => id)).toEqual([])
  expect([...answeredWell].filter((id) => id.startsWith('estimated'))).toEqual([])
})

test('the event of a withdrawal comes on its day, or on that of another series that then has the period', async () => {
  const [best, other] = [cpi, testSeries({ country: 'MNE', base_period: '2010' })]
  const whole = await served(
    [
      print(best, '2025-12', '2026-01-10', '101'),
      print(other, '2025-11', '2026-01-15', '98'),
      print(best, '2025-11', '2026-01-20', '102'),
      print(other, '2025-12', '2026-02-20', '99'),
      print(best, '2025-10', '2026-02-21', '103'),
      // The withdrawals are read after what is later than they.
      print(other, '2025-10', '2026-03-20', '97'),
      ...['2025-12', '2025-11', '2025-10'].map((period) => print(best, period, '2026-03-05', null)),
    ].map((one) => [one]),
    new Date(NOW),
  )
  const eventsOf = async (day: string) => {
    const { events } = (await ask(whole, `/asof/${day}/v1/events?limit=1000&${ofReleases}`)).json<EventPage>()
    return events.map(({ type, subject, data }) => [type.split('.')[2], subject, data.released_on])
  }
  const published = [
    ['published', 'MNE/cpi/2025-12', '2026-01-10'],
    ['published', 'MNE/cpi/2025-11', '2026-01-15'],
    ['published', 'MNE/cpi/2025-11', '2026-01-20'],
    ['published', 'MNE/cpi/2025-10', '2026-02-21'],
  ]
  const withdrawn = [
    ['revised', 'MNE/cpi/2025-12', '2026-02-20'],
    ['revised', 'MNE/cpi/2025-11', '2026-01-15'],
  ]
  expect(await eventsOf('2026-03-04')).toEqual(published)
  expect(await eventsOf('2026-03-05')).toEqual([...published, ...withdrawn])
  expect(await eventsOf('2026-03-20')).toEqual([
    ...published,
    ...withdrawn,
    ['revised', 'MNE/cpi/2025-10', '2026-03-20'],
  ])
})

test('with estimated dates it is what a service has that read those figures on these days', async () => {
  const lag = 10
  const series = [cpi, flowSeries('trade-exports', { country: 'MNE' }), flowSeries('trade-imports', { country: 'MNE' })]
  const months = (first: string, count: number) => Array.from({ length: count }, (_, i) => shiftPeriod(first, i))
  const dayOf = (period: string) => addDays(endOfPeriod(period), lag)
  const prints = (periods: readonly string[], on: (period: string) => string) =>
    series.flatMap((own) => periods.map((period, i) => print(own, period, on(period), String(100 + i))))
  const evidence = prints(months('2025-03', 6), dayOf)
  const copied = '2026-03-20'
  const old = months('2024-01', 14)
  const revision = series.map((own) => print(own, '2024-06', '2026-03-25', '150'))
  const whole = await served(
    [...dayByDay([evidence]), prints(old, () => copied).map((one) => ({ ...one, basis: 'copy' as const })), revision],
    new Date(NOW),
  )
  const list = (await ask(whole, '/v1/economics/MNE/cpi/vintages?limit=1000')).json<VintageList>()
  const known = { releases: list.vintages.map(({ release_id }) => release_id).slice(0, 3), events: [] }
  const answeredWell = new Set<string>()
  // Handlers and cuts are those of the plain prefix, of which the test above asks everything.
  // Events, and the address of a release's event, say what was sent: nothing was on an estimated day. Catalogue and calendar
  // expect the next release by dates on record only.
  const some = (addresses: readonly string[], { path }: Operation) =>
    /^\/v1\/(events|catalog|calendar)/.test(path) ? [] : addresses.filter((one) => !/USA|XYZ/.test(one)).slice(0, 3)
  for (const day of ['2025-02-20']) {
    const all = dayByDay([[...evidence, ...prints(old, dayOf), ...revision]])
    const past = await served(
      all.filter(([first]) => first && first.on <= day),
      clockOf(day),
      pricesAt(endOfDay(day) - 1, pricesUntil(endOfDay(day))),
    )
    const prefix = `/asof/${day}/estimated`
    for (const id of await compareOperations(whole, past, prefix, known, some)) answeredWell.add(id)
    const { body: called } = await whole.inject({
      method: 'POST',
      url: `${prefix}/mcp`,
      headers: { ...bearer(), 'content-type': 'application/json' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'economics_get_cpi', arguments: { country: 'MNE', period: '2024-02' } },
      },
    })
    expect(called).toMatch(/releases_get with release_id rel_\w+ says.*released_on is estimated by the usual lag/s)
    const table = `${prefix}/v1/panel?country=MNE&indicator=cpi&frequency=M&about=rows`
    expect((await ask(whole, table)).body).toContain('# released_on_basis,estimated')
    const codes = await get(whole, `${prefix}/sdmx/2.1/codelist/ALMANAC/CL_RELEASED_ON_BASIS`)
    expect(codes.body).toContain('id="estimated"')
    const plain = await ask(whole, `/asof/${day}/v1/economics/MNE/cpi/vintages?limit=1000`)
    expect(plain.body).not.toContain('estimated')
  }
  expect(answeredWell).toContain('estimated economics_list_cpi_vintages')
  expect([...answeredWell].filter((id) => id.startsWith('estimated')).length).toBeGreaterThan(8)
})
