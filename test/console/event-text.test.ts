import { describe, expect, it } from 'vitest'
import {
  eventFigures,
  eventWords,
  journalPlace,
  sequenceNumber,
  subjectName,
} from '../../console/browser/event-text.js'
import { hasWords } from '../../console/browser/filter-words.js'
import { facts } from '../../console/facts.ts'
import type { Event } from '../../contracts/events.ts'

const event = (type: string, subject: string, data: Record<string, unknown>): Event => ({
  specversion: '1.0',
  id: 'evt_00000000000000000000000000',
  source: '/almanac/output',
  type,
  subject,
  time: '2026-11-23T00:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'urn:almanac:schema:Gdp',
  family: 'output',
  sequence: '00000000000000006058',
  data,
  cursor: 'v1.x',
})

describe('an event in a line', () => {
  it('shows a revision as what it was and what it became, as printed', () => {
    const data = { currency: 'USD', value: '9697600000000', previous: { value: '9697200000000' } }
    const revised = event('economics.release.revised', 'USA/gdp/2000-Q1', data)
    expect(eventFigures(revised, facts)).toBe('9697200000000 → 9697600000000 USD')
  })
  it('names the base of an index', () => {
    const data = { value: '168.8', base_period: '1982/1984', base_value: '100' }
    expect(eventFigures(event('economics.release.published', 'USA/cpi/2000-01', data), facts)).toBe(
      '168.8 (1982/1984 = 100)',
    )
  })
  it.each([
    [
      'economics.release.revised',
      'USA/gdp/2000-Q1',
      'United States, Gross domestic product at current prices, Q1 2000',
    ],
    ['predictions.prediction.updated', 'DEU/cpi/2026-10', 'Germany, Consumer price index, Oct 2026'],
    ['prices.instrument.stale', 'XAU-USD', 'Gold in USD'],
    ['prices.session.opened', 'FX', 'FX'],
  ])('is about what its names say: %s of %s', (type, subject, name) =>
    expect(subjectName({ type, subject }, facts)).toBe(name),
  )
  it('names the figures where there are several, and says which ones changed', () => {
    const previous = { year_over_year: '2.10', quarter_over_quarter: '0.5' }
    const data = { year_over_year: '2.20', quarter_over_quarter: '0.5', year_to_date: null, previous }
    const text = eventFigures(event('economics.release.revised', 'USA/gdp-growth/2025-Q3', data), facts)
    expect(text).toBe('year over year 2.10 → 2.20 % · quarter over quarter 0.5 %')
  })
  it('shows a prediction with its interval, and a session with its end', () => {
    const prediction = { figure: 'value', unit: 'index', value: '325.1', lower: '324', upper: '326', period: '2026-10' }
    expect(eventFigures(event('predictions.prediction.updated', 'USA/cpi/2026-10', prediction), facts)).toBe(
      'value 325.1 index (324 to 326)',
    )
    const session = { name: 'Foreign exchange', market_session: 'open', until: '2026-11-27T22:00:00.000Z' }
    expect(eventFigures(event('prices.session.opened', 'FX', session), facts)).toBe(
      'Foreign exchange: open until 27 Nov 2026 22:00:00 UTC',
    )
  })
  it('shows the price of a commodity and the rate of two currencies', () => {
    const gold = event('prices.instrument.stale', 'XAU-USD', {
      symbol: 'XAU-USD',
      price: '1785.28',
      currency: 'USD',
      unit: 'troy_ounce',
    })
    expect(eventFigures(gold, facts)).toBe('1785.28 USD, troy ounce')
    const euro = event('prices.instrument.stale', 'EUR-SGD', {
      base: 'EUR',
      rates: [{ currency: 'SGD', rate: '1.49420' }],
    })
    expect(eventFigures(euro, facts)).toBe('1.49420 SGD')
  })
  it('shows the extent of an outage', () => {
    const outage = {
      source: 'feed',
      since: '2026-11-27T10:00:00.000Z',
      until: '2026-11-27T10:05:00.000Z',
      instruments: 70,
    }
    expect(eventFigures(event('prices.source.interrupted', 'feed', outage), facts)).toBe(
      '70 instruments, 27 Nov 2026 10:00:00 UTC to 27 Nov 2026 10:05:00 UTC',
    )
  })
  it('shows when a release is due, or why it was cancelled', () => {
    const textOf = (type: string, data: Record<string, unknown>) =>
      eventFigures(event(`calendar.release.${type}`, 'USA/gdp/2026-Q3', data), facts)
    expect(textOf('late', { expected_on: '2026-10-28', reason: null })).toBe('due 28 Oct 2026')
    expect(textOf('cancelled', { expected_on: '2026-10-28', reason: 'no survey' })).toBe('no survey')
    expect(textOf('restored', { expected_on: null, reason: null })).toBe('')
  })
})

describe('a filter of events in words', () => {
  const cpi = event('economics.release.revised', 'USA/cpi/2026-09', { index: '330.1' })
  const gold = event('prices.instrument.stale', 'XAU-USD', { price: '1785.28' })
  it.each([
    [cpi, 'usa cpi'],
    [cpi, 'revised'],
    [cpi, 'United States consumer price'],
    [cpi, '2026-09'],
    [cpi, '2026-11-23'],
    [gold, 'gold stale'],
    [gold, 'XAU 1785.28'],
  ])('finds %# by %j', (one, sought) => expect(hasWords({ words: eventWords(one, facts) }, sought)).toBe(true))
  it.each([
    [cpi, 'usa gdp'],
    [cpi, 'published'],
    [gold, 'silver'],
  ])('does not find %# by %j', (one, sought) => expect(hasWords({ words: eventWords(one, facts) }, sought)).toBe(false))
})

describe('a place in the journal', () => {
  it.each([
    ['6058', { start: '6058' }],
    ['00000000000000006058', { start: '6058' }],
    ['6 058', { start: '6058' }],
    ['2026-11-23', { start: '2026-11-23T00:00:00.000Z' }],
    [' 2026-11-23 01:56 ', { start: '2026-11-23T01:56:00.000Z' }],
    ['2026-11-23T01:56:03.843Z', { start: '2026-11-23T01:56:03.843Z' }],
    ['v1.rYHPJVsi', { cursor: 'v1.rYHPJVsi' }],
  ])('is read from %j', (text, place) => expect(journalPlace(text)).toEqual(place))
  it.each(['', 'yesterday', '2026-13-40', '2026-11-23 25:00', '-5', '1.5'])('is not seen in %j', (text) =>
    expect(journalPlace(text)).toBeUndefined(),
  )
  it('is shown without the zeros in front', () => expect(sequenceNumber('00000000000000000100')).toBe('100'))
})
