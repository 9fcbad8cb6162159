import { describe, expect, it } from 'vitest'
import type { ApiDeps } from '../../api/deps.ts'
import { type ProblemCode, ProblemError, problems } from '../../contracts/problems.ts'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { encodeHistoryCursor } from '../../domain/history-cursor.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { testSeries } from '../support/releases.ts'
import { AT_LATER, ask, bearer, JOURNAL, NOW, type World, world } from './support.ts'

/** Every code of the catalogue, reached through the door that a client would come by. */
type Case = {
  readonly code: ProblemCode
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
  readonly detail?: string
  readonly answers?: Readonly<Record<string, string>>
  /** Breaks the world before the request. */
  readonly amiss?: (served: World) => void
  readonly deps?: Partial<ApiDeps>
}

const history = '/v1/economics/USA/trade/exports/observations'
const cpi = '/v1/economics/USA/cpi'
const json = { 'content-type': 'application/json' }
const eventCursor = (over: { journal?: string; sequence?: number } = {}) =>
  encodeEventCursor({ journal: JOURNAL, sequence: 1, hint: 0, ...over })
const historyCursor = (over: { journal?: string; operation?: string; snapshot?: number; issuedAt?: number } = {}) =>
  encodeHistoryCursor({
    journal: JOURNAL,
    operation: 'economics_get_trade_exports_history',
    country: 'USA',
    start: '',
    end: '',
    frequency: '',
    asOf: '',
    units: '',
    aggregation: '',
    sort: '',
    print: '',
    row: 0,
    snapshot: 48,
    after: { period: '2025-05', figure: 1, offset: 0 },
    issuedAt: Date.parse(NOW),
    ...over,
  })
const away = async (): Promise<never> => {
  throw new ProblemError('unavailable', 'The read models cannot be reached.')
}

const cases: readonly Case[] = [
  {
    code: 'invalid_query',
    url: `${cpi}?period=2026-13`,
    detail: 'query parameter period: "2026-13" is not a month (YYYY-MM)',
  },
  { code: 'invalid_query', url: `${cpi}?period=2026`, detail: 'period: "2026" is not a month (YYYY-MM)' },
  { code: 'invalid_query', url: '/v1/economics/USA/gdp?period=2026-01', detail: 'is not a quarter (YYYY-Qn)' },
  { code: 'invalid_query', url: `${cpi}?period=2026-01&period=2026-02`, detail: 'period is given more than once' },
  { code: 'invalid_query', url: `${cpi}?from=2026`, detail: 'Unknown query parameter "from". Known: period.' },
  { code: 'invalid_query', url: `${cpi}?period=`, detail: 'period: "" is not a month' },
  { code: 'invalid_query', url: '/health?x=1', detail: 'Unknown query parameter "x". This operation takes none.' },
  { code: 'invalid_query', url: '/v1/usage?x=1', detail: 'Unknown query parameter "x"' },
  { code: 'invalid_query', url: `${history}?limit=0`, detail: 'query parameter limit: 0 is less than 1' },
  { code: 'invalid_query', url: `${history}?limit=1001`, detail: 'query parameter limit: 1001 is more than 1000' },
  { code: 'invalid_query', url: `${history}?limit=1e2`, detail: 'limit: "1e2" is not a whole number' },
  { code: 'invalid_query', url: `${history}?limit=10&limit=20`, detail: 'limit is given more than once' },
  { code: 'invalid_query', url: `${history}?start=2026&end=2025-12`, detail: 'start: "2026" is after end "2025-12"' },
  { code: 'invalid_query', url: `${history}?cursor=`, detail: 'cursor is empty' },
  { code: 'invalid_query', url: `${history}?as_of=2026-02-30`, detail: 'as_of: "2026-02-30" is not a calendar date' },
  {
    code: 'invalid_query',
    url: `${history}?as_of=yesterday`,
    detail: '"yesterday" is not a calendar date (YYYY-MM-DD)',
  },
  {
    code: 'invalid_query',
    url: `${history}?as_of=2026-11-23`,
    detail: 'as_of: 2026-11-23 is in the future; the latest day is 2026-11-22',
  },
  // Trade has no quarters, so they are not offered.
  { code: 'invalid_query', url: `${history}?frequency=W`, detail: 'frequency: "W" is not one of M, Q, A' },
  {
    code: 'invalid_query',
    url: `${history}?frequency=Q`,
    detail: 'is published for months, years: give aggregation_method',
  },
  { code: 'invalid_query', url: `${history}?units=yoy`, detail: 'units: "yoy" is not one of lin, chg, ch1' },
  { code: 'invalid_query', url: `${history}?frequency=A&aggregation_method=max`, detail: 'aggregation_method: "max"' },
  { code: 'invalid_query', url: `${history}?aggregation_method=avg`, detail: 'give it with a lower frequency' },
  {
    code: 'invalid_query',
    url: `${history}?frequency=M&aggregation_method=avg`,
    detail: 'give it with a lower frequency',
  },
  { code: 'invalid_query', url: `${history}?sort=newest`, detail: 'sort: "newest" is not one of asc, desc' },
  { code: 'invalid_query', url: `${history}?csv_style=tab`, detail: 'csv_style: "tab" is not one of comma, semicolon' },
  { code: 'invalid_query', url: `${history}?frequency=M&frequency=A`, detail: 'frequency is given more than once' },
  {
    code: 'invalid_query',
    url: '/v1/economics/USA/cpi/vintages?period=2025-10&end=2025-11',
    detail: 'query parameter end is given with period: give one of them',
  },
  {
    code: 'invalid_query',
    url: '/v1/events?family=weather',
    detail: 'family: "weather" is not one of inflation, labour',
  },
  { code: 'invalid_query', url: '/v1/events?country=ZZZ', detail: '"ZZZ" is not a country code' },
  { code: 'invalid_query', url: '/v1/events?country=GER', detail: 'Did you mean DEU (Germany)?' },
  {
    code: 'invalid_query',
    url: '/v1/economics/USA/trade/exports?product=27',
    detail: 'query parameter product is given without classification',
  },
  {
    code: 'invalid_query',
    url: '/v1/economics/USA/trade/imports?classification=HS2022',
    detail: 'query parameter classification is given without product',
  },
  {
    code: 'invalid_path',
    url: '/v1/economics/usa/cpi',
    detail: 'path parameter country: "usa" is not a code of three capital letters. Did you mean USA (United States)?',
  },
  { code: 'invalid_path', url: '/v1/economics/DE/cpi', detail: 'Did you mean DEU (Germany)?' },
  { code: 'invalid_path', url: '/v1/economics/UK/cpi', detail: 'Did you mean GBR (United Kingdom)?' },
  { code: 'invalid_path', url: '/v1/fx/rates/eur', detail: 'Did you mean EUR (Euro)?' },
  { code: 'invalid_path', url: '/v1/events/evt_1', detail: 'path parameter event_id' },
  { code: 'invalid_path', url: `/v1/economics/${'A'.repeat(300)}/cpi`, detail: '…' },
  { code: 'invalid_path', url: '/v1/economics/%zz/cpi', detail: 'bad percent-encoding' },
  { code: 'cursor_invalid', url: `${history}?cursor=v1.AAAA` },
  { code: 'cursor_invalid', url: `${history}?cursor=${eventCursor()}` },
  {
    code: 'cursor_invalid',
    url: `${history}?cursor=${historyCursor({ operation: 'economics_list_cpi_observations' })}`,
  },
  { code: 'cursor_invalid', url: `${history}?cursor=${historyCursor({ snapshot: 1 })}` },
  { code: 'cursor_expired', url: `${history}?cursor=${historyCursor()}`, detail: 'Other series are served since' },
  { code: 'cursor_foreign', url: `${history}?cursor=${historyCursor({ journal: 'another' })}` },
  { code: 'cursor_expired', url: `${history}?cursor=${historyCursor({ issuedAt: Date.parse(NOW) - 86_400_001 })}` },
  {
    code: 'cursor_mismatch',
    url: `/v1/economics/CAN/trade/exports/observations?cursor=${historyCursor()}`,
    detail: 'made for country USA',
  },
  { code: 'cursor_mismatch', url: `${history}?start=2025&cursor=${historyCursor()}`, detail: 'without filters' },
  { code: 'cursor_invalid', url: '/v1/events?cursor=nonsense', answers: { link: 'rel="earliest"' } },
  { code: 'cursor_invalid', url: `/v1/events?cursor=${eventCursor({ sequence: 0 })}` },
  { code: 'cursor_invalid', url: `/v1/events?cursor=${historyCursor()}` },
  {
    code: 'cursor_foreign',
    url: `/v1/events?cursor=${eventCursor({ journal: 'another' })}`,
    answers: { link: 'rel="earliest"' },
  },
  {
    code: 'cursor_superseded',
    url: `/v1/events?cursor=${eventCursor({ journal: `${JOURNAL}/another` })}`,
    answers: { link: 'rel="branch"' },
  },
  {
    code: 'cursor_superseded',
    url: `${history}?cursor=${historyCursor({ journal: `${JOURNAL}/another` })}`,
    detail: 'first page of this history was read in another history of this journal',
  },
  {
    code: 'cursor_ahead',
    url: `/v1/events?cursor=${eventCursor({ sequence: 999_999 })}`,
    answers: { link: 'rel="latest"' },
  },
  {
    code: 'cursor_expired',
    url: `/v1/events?family=trade&cursor=${eventCursor({ sequence: 2 })}`,
    answers: { link: 'rel="earliest"' },
    amiss: ({ releases }) => {
      releases.firstKept = 5
    },
  },
  { code: 'unauthorized', url: cpi, headers: {} },
  { code: 'unauthorized', url: cpi, headers: { authorization: 'Bearer nobody' } },
  { code: 'unauthorized', url: cpi, headers: { authorization: 'Basic dTpw' } },
  { code: 'unauthorized', url: '/mcp', method: 'POST', headers: json, payload: '{}' },
  { code: 'plan_upgrade_required', url: '/v1/events?family=fx', headers: bearer('free') },
  { code: 'plan_upgrade_required', url: '/v1/events?family=trade&family=commodities', headers: bearer('free') },
  {
    code: 'origin_not_allowed',
    url: '/mcp',
    method: 'POST',
    headers: { ...bearer(), ...json, origin: 'https://evil.example' },
    payload: '{}',
  },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/GER/cpi',
    detail: '"GER" is not a country code of ISO 3166-1. Did you mean DEU (Germany)? cpi is published for USA.',
  },
  { code: 'no_complete_publication', url: '/v1/economics/ZZZ/cpi', detail: 'ISO 3166-1. cpi is published for USA.' },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/BRA/cpi',
    detail: 'cpi is not published for BRA (Brazil). cpi is published for USA.',
  },
  {
    code: 'no_complete_publication',
    url: `${cpi}?period=1999-01`,
    detail:
      'cpi of USA (United States) is not published for 1999-01. Published: months 2025-10 to 2025-11. Nearest: 2025-10.',
  },
  { code: 'no_complete_publication', url: `${cpi}?period=2027-01`, detail: 'Nearest: 2025-11.' },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/USA/unemployment?period=2025',
    detail: 'unemployment of USA (United States) is not published for 2025. Published: months 2025-10 to 2025-11.',
  },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/CHN/trade/exports',
    detail: 'Export totals are not public for CHN (China), only for AUS, CAN, DEU, FRA, GBR, JPN, MYS, NLD, SGP, USA.',
  },
  { code: 'no_complete_publication', url: '/v1/economics/CHN/trade/exports?period=2025-10', detail: 'not public' },
  { code: 'no_complete_publication', url: '/v1/economics/CHN/trade/exports/observations', detail: 'not public' },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/NLD/trade/exports/observations',
    detail: 'trade-exports is not published for NLD (Netherlands). trade-exports is published for MYS, USA.',
  },
  {
    code: 'no_complete_publication',
    url: `${cpi}?period=2025-11`,
    detail: 'cpi of USA (United States) was withdrawn for 2025-11 on 2026-01-20. Published: months 2025-10 to 2025-10.',
    amiss: ({ releases }) => {
      const { series } = releases.board.at('USA', 'cpi', '2025-11') ?? expect.fail('no index')
      const released = { on: '2026-01-20', basis: 'publisher' } as const
      releases.accept(series, '2025-11', {}, AT_LATER, { printed: null, released })
    },
  },
  {
    code: 'no_complete_publication',
    url: '/v1/economics/CHN/gdp-growth',
    detail:
      'gdp-growth of CHN (China) for 2025-Q3 is published without quarter_over_quarter. Its observations and vintages have year_over_year.',
    amiss: ({ releases }) => {
      const growth = testSeries({ indicator: 'gdp-growth', country: 'CHN', frequency: 'Q', unit: 'percent' })
      releases.accept(growth, '2025-Q3', { year_over_year: '4.8' })
    },
  },
  {
    code: 'no_dated_evidence',
    url: `/asof/2020-01-01${cpi}`,
    detail: 'No figure of cpi of USA (United States) is dated 2020-01-01 or before. The earliest day',
  },
  {
    code: 'never_published',
    url: `${cpi}?period=2025-12`,
    detail: 'cpi of USA (United States) was never published for 2025-12: no survey.',
    amiss: ({ releases }) =>
      releases.statements.apply({
        change: 'never_published',
        country: 'USA',
        indicator: 'cpi',
        period: '2025-12',
        series: 'any',
        ...unknownDay,
        reason: 'no survey',
        recorded_at: NOW,
      }),
  },
  { code: 'not_yet_published', url: '/v1/economics/USA/trade/exports?partner=CAN' },
  { code: 'not_yet_published', url: '/v1/economics/USA/trade/exports?product=27&classification=HS2022' },
  { code: 'not_yet_published', url: '/v1/economics/USA/trade/imports?partner=CAN' },
  { code: 'commodity_not_supported', url: '/v1/commodities/spot/BUTTER/USD', detail: 'is served. Served: XAU, XAG,' },
  { code: 'commodity_not_supported', url: '/v1/commodities/spot/GOLD/USD', detail: 'Did you mean XAU (Gold)?' },
  { code: 'currency_not_supported', url: '/v1/commodities/spot/XAU/XXX', detail: 'Served: AED, ARS,' },
  { code: 'currency_not_supported', url: '/v1/fx/rates/UDS', detail: 'Did you mean USD (US Dollar)?' },
  { code: 'event_not_found', url: `/v1/events/evt_${'0'.repeat(26)}` },
  { code: 'pair_not_quoted', url: '/v1/prices/XAU-EUR/ticks', detail: 'computed from XAU-USD and EUR-USD' },
  { code: 'release_not_found', url: `/v1/releases/rel_${'0'.repeat(26)}` },
  { code: 'invalid_path', url: '/v1/releases/rel_1', detail: 'path parameter release_id' },
  { code: 'route_not_found', url: '/v2/anything' },
  { code: 'route_not_found', url: `${cpi}/` },
  { code: 'route_not_found', url: '/problems/nothing' },
  { code: 'method_not_allowed', url: cpi, method: 'POST', answers: { allow: 'GET, HEAD, OPTIONS' } },
  { code: 'method_not_allowed', url: '/mcp', method: 'GET', answers: { allow: 'POST, OPTIONS' } },
  { code: 'method_not_allowed', url: '/docs', method: 'DELETE', answers: { allow: 'GET, HEAD, OPTIONS' } },
  // The path and the method are judged before the body is looked at.
  { code: 'method_not_allowed', url: cpi, method: 'POST', headers: { 'content-type': 'text/xml' }, payload: '<a/>' },
  { code: 'route_not_found', url: '/nowhere', method: 'POST', headers: json, payload: '{' },
  { code: 'not_acceptable', url: cpi, headers: { ...bearer(), accept: 'text/html' } },
  { code: 'not_acceptable', url: cpi, headers: { ...bearer(), accept: '*/*, application/json;q=0' } },
  { code: 'not_acceptable', url: '/health', headers: { accept: 'image/png' } },
  { code: 'invalid_body', url: '/mcp', method: 'POST', headers: { ...bearer(), ...json }, payload: '{"jsonrpc":' },
  { code: 'invalid_body', url: '/mcp', method: 'POST', headers: { ...bearer(), ...json }, payload: '[]' },
  { code: 'invalid_body', url: '/mcp', method: 'POST', headers: { ...bearer(), ...json }, payload: '' },
  {
    code: 'body_too_large',
    url: '/mcp',
    method: 'POST',
    headers: { ...bearer(), ...json },
    payload: `"${'x'.repeat(65_536)}"`,
  },
  {
    code: 'unsupported_media_type',
    url: '/mcp',
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'text/xml' },
    payload: '<a/>',
  },
  {
    code: 'rate_limited',
    url: cpi,
    amiss: (served) => {
      served.perMinute = 0
    },
  },
  {
    code: 'quota_exhausted',
    url: cpi,
    // From noon of the 21st to the end of the month.
    answers: { 'retry-after': String(9.5 * 86_400) },
    amiss: ({ quota }) => {
      quota.limit = 0
    },
  },
  {
    code: 'internal',
    url: cpi,
    deps: {
      figures: {
        latest: () => {
          throw new TypeError('secret of the house')
        },
        at: () => undefined,
        withdrawal: () => undefined,
        partial: () => [],
        newest: () => '',
        inHistory: () => undefined,
        servedSeries: () => undefined,
        current: () => undefined,
        countries: () => [],
        periods: () => [],
        seriesOf: () => [],
        inForce: () => [],
      },
    },
  },
  {
    code: 'unavailable',
    url: cpi,
    detail: 'reading the journal',
    amiss: (served) => {
      served.ready = 'reading the journal'
    },
  },
  {
    code: 'unavailable',
    url: '/ready',
    detail: 'reading the journal',
    amiss: (served) => {
      served.ready = 'reading the journal'
    },
  },
  {
    code: 'unavailable',
    url: cpi,
    detail: 'cannot be checked',
    amiss: ({ quota }) => {
      quota.away = true
    },
  },
  {
    code: 'unavailable',
    url: history,
    deps: {
      history: {
        series: away,
        seriesOfMany: away,
        observations: away,
        inForce: away,
        vintages: away,
        prints: away,
        watermark: away,
      },
    },
  },
  {
    code: 'unavailable',
    url: '/v1/events',
    deps: { events: { page: away, byId: away, bounds: away, recordedFrom: away } },
  },
  { code: 'price_unavailable', url: '/v1/commodities/spot/TIN/USD' },
  { code: 'price_unavailable', url: '/v1/fx/rates/NOK' },
]

/** One world for all cases in which nothing is amiss. */
let whole: Promise<World> | undefined
const well = (): Promise<World> => {
  whole ??= world()
  return whole
}

describe('problems', () => {
  const reached = new Set<string>()

  for (const { code, url, method, headers, payload, detail, answers, amiss, deps } of cases) {
    it(`${problems[code].status} ${code}: ${method ?? 'GET'} ${url.slice(0, 90)}`, async () => {
      const served = amiss || deps ? await world(deps) : await well()
      amiss?.(served)
      const { problem, headers: sent } = await ask(served.app, {
        url,
        method: method ?? 'GET',
        headers: headers ?? bearer(),
        ...(payload === undefined ? {} : { payload }),
      })
      expect(problem.code).toBe(code)
      if (detail) expect(problem.detail).toContain(detail)
      for (const [name, value] of Object.entries(answers ?? {})) expect(sent[name]).toContain(value)
      expect(JSON.stringify(problem)).not.toContain('secret')
      reached.add(code)
    })
  }

  it('are all reached', () => {
    // Only the server of the streams answers with the first, and only SDMX, in a form of its own, with the others.
    const elsewhere = ['upgrade_required', 'answer_too_large', 'not_implemented']
    const ours = Object.keys(problems).filter((code) => !elsewhere.includes(code))
    expect([...reached].sort()).toEqual(ours.sort())
  })
})
