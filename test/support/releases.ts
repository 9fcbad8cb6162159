import type { Provenance, Release, Series } from '../../contracts/records.ts'
import { type Candidate, decideRelease } from '../../domain/decide-release.ts'
import type { KnownRelease } from '../../domain/prints.ts'
import { seriesOf } from '../../domain/series.ts'
import type { Document } from '../../ingest/source.ts'

/**
 * A series for tests: a made-up office and country, so that no invented figure looks official. It is an index unless `over`
 * has another unit, and then without a base.
 */
export const testSeries = (over: Partial<Omit<Series, 'id'>> = {}): Series => {
  const { unit = 'index' } = over
  const isIndex = unit === 'index'
  return seriesOf({
    indicator: 'cpi',
    country: 'USA',
    frequency: 'M',
    source: 'TEST',
    dataset: 'T1',
    unit,
    seasonal_adjustment: 'not_seasonally_adjusted',
    annualization: 'not_annualized',
    base_period: isIndex ? '2015' : '',
    base_value: isIndex ? '100' : '',
    derivation: '',
    ...over,
  })
}

export const flowSeries = (
  indicator: 'trade-exports' | 'trade-imports',
  over: Partial<Omit<Series, 'id'>> = {},
): Series => testSeries({ indicator, unit: 'USD', ...over })

export const candidate = (
  series: Series,
  period: string,
  figures: Record<string, string>,
  over: Partial<Candidate> = {},
): Candidate => ({
  series,
  period,
  printed: Object.fromEntries(Object.entries(figures).map(([member, printed]) => [member, { printed }])),
  provenance: null,
  ...over,
})

/** A document of the made-up office. */
export const testDocument: Document = {
  source: 'TEST',
  dataset: 'T1',
  publisher: 'Test office',
  licence: 'none',
  url: 'file:test',
  retrievedAt: '2026-01-10T00:00:00.000Z',
  sha256: 'a'.repeat(64),
  bytes: Buffer.alloc(0),
}

/** Where a figure of the made-up office comes from. */
export const testProvenance: Provenance = {
  publisher: 'Test office',
  url: 'https://test.example/t1.csv',
  licence: 'none',
  retrieved_at: '2026-01-15T11:00:00.000Z',
  sha256: 'a'.repeat(64),
  location: 'line 2',
  copy: null,
  file: null,
}

export const AT = '2026-01-15T12:00:00.000Z'

/** The release that a candidate becomes; throws if it isn't accepted as news. */
export function accepted(c: Candidate, known?: KnownRelease, at = AT): Release {
  const decision = decideRelease(known, c, at)
  if (!('release' in decision)) throw new Error(JSON.stringify(decision))
  return decision.release
}
