import { expect, it } from 'vitest'
import type { Item } from '../../../ingest/source.ts'
import { parseComtrade } from '../../../ingest/sources/comtrade/parse.ts'
import { parseFred } from '../../../ingest/sources/fred/parse.ts'
import { parseWorldBank } from '../../../ingest/sources/world-bank/parse.ts'
import { document } from './fixture.ts'

/** A saved page of a larger answer is not taken for all of it. */

const saved = { retrievedAt: null }
const kinds = (items: Iterable<Item>) =>
  [...items].map((item) => (item.kind === 'reject' ? `${item.reason} at ${item.location}: ${item.detail}` : item.kind))

const worldBank = (page: number) =>
  JSON.stringify([
    { page, pages: 2, per_page: 1, total: 2, lastupdated: '2026-07-01' },
    [
      {
        indicator: { id: 'SL.UEM.TOTL.ZS' },
        country: { id: 'DE' },
        countryiso3code: 'DEU',
        date: `202${page}`,
        value: 3.1,
      },
    ],
  ])
const fred = (offset: number) =>
  JSON.stringify({
    count: 2,
    offset,
    limit: 1,
    observations: [{ realtime_start: '2026-01-01', date: '2025-01-01', value: '3.1' }],
  })

it('page 1 of 2 of the World Bank, as a file, says so; fetched, it is one of both', () => {
  expect(kinds(parseWorldBank(document(worldBank(1), saved)))).toEqual([
    'further_pages at page 1 of 2: The file ends with row 1 of 2; read the files with the other pages, too.',
    'figure',
  ])
  expect(kinds(parseWorldBank(document(worldBank(2), saved)))).toEqual(['figure'])
  expect(kinds(parseWorldBank(document(worldBank(1))))).toEqual(['figure'])
})

it('the first of two pages of FRED does, too', () => {
  const more = { ...saved, dataset: 'UNRATE' }
  expect(kinds(parseFred(document(fred(0), more)))).toEqual([
    expect.stringMatching(/^further_pages at offset 0: The file ends with row 1 of 2/),
    'figure',
  ])
  expect(kinds(parseFred(document(fred(1), more)))).toEqual(['figure'])
  expect(kinds(parseFred(document(fred(0), { dataset: 'UNRATE' })))).toEqual(['figure'])
})

it('as many rows as UN Comtrade gives at once may not be all', () => {
  const rows = (count: number) => JSON.stringify({ count, data: Array(count).fill({ partnerCode: 276 }) })
  expect(kinds(parseComtrade(document(rows(500))))).toEqual([expect.stringMatching(/^further_pages at count/)])
  expect(kinds(parseComtrade(document(rows(499))))).toEqual([])
})
