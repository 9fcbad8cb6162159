import { countryByAlpha3 } from '../../contracts/countries.ts'
import type { EventRecord, Rejected, Release } from '../../contracts/records.ts'
import { testSeries } from './releases.ts'

/** Made-up records by number, as like real ones in shape and size as need be; the same number gives the same record. */

const codes = [...countryByAlpha3.keys()]
const countryNumber = (n: number): string => codes[n] ?? 'USA'

const MONTHS = 12 * 60
const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString()
const periodOf = (n: number): string => `${1966 + Math.floor(n / 12)}-${String(1 + (n % 12)).padStart(2, '0')}`

/** Release n of a world of series with 60 years of months; past the last month the first ones are revised. */
export function releaseNumber(n: number, seriesCount = 20): Release {
  const number = n % seriesCount
  const series = testSeries({ dataset: `T${number}`, country: countryNumber(number % 26) })
  const round = Math.floor(n / seriesCount / MONTHS)
  const period = periodOf(Math.floor(n / seriesCount) % MONTHS)
  const value = `${100 + (n % 997)}.${n % 10}`
  return {
    release_id: `rel_${String(n).padStart(26, '0')}`,
    series,
    period,
    figures: { value },
    published: { value: `${value}0` },
    revises: round === 0 ? null : `rel_${String(n - seriesCount * MONTHS).padStart(26, '0')}`,
    released_on: at(n).slice(0, 10),
    released_on_basis: 'publisher',
    recorded_at: at(n),
    provenance: {
      publisher: 'Office of Tests',
      url: 'https://example.org/data/consumer-prices.csv',
      licence: 'CC0-1.0',
      retrieved_at: at(n),
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      location: `line ${n}`,
      copy: null,
      file: null,
    },
    inputs: [],
    late: false,
    redates: null,
    approval: null,
    voids: null,
  }
}

const families = ['inflation', 'labour', 'output', 'trade'] as const

/** Event n, from 0 on: sequence n + 1. */
export function eventNumber(n: number): EventRecord {
  const family = families[n % families.length] ?? 'trade'
  const country = countryNumber(n % 7)
  const period = periodOf(n % MONTHS)
  return {
    sequence: n + 1,
    id: `evt_${String(n).padStart(26, '0')}`,
    type: n % 5 === 0 ? 'economics.release.revised' : 'economics.release.published',
    source: `/almanac/${family}`,
    family,
    country: n % 11 === 0 ? null : country,
    subject: `${country}/${family}/${period}`,
    time: at(n),
    dataschema: 'urn:almanac:schema:Cpi',
    data: JSON.stringify({
      country,
      period,
      value: `${n}.5`,
      base_period: '2015',
      base_value: '100',
      released_on: at(n).slice(0, 10),
    }),
  }
}

/** Rejected input n, in one part. */
export const rejectedNumber = (n: number): Rejected => ({
  input_id: `input-${n}`,
  source: 'TEST',
  dataset: 'T1',
  url: 'https://example.org/data/consumer-prices.csv',
  reason: 'not_a_decimal',
  detail: `value ${n}`,
  location: `line ${n}`,
  retrieved_at: at(n),
  recorded_at: at(n),
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  part: 1,
  parts: 1,
  bytes: Buffer.from(`n/a ${n}`),
})
