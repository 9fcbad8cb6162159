import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { type PublishersId, PublishersIds } from '../../domain/publishers-ids.ts'
import { testSeries } from '../support/releases.ts'

const listed = (id: string, over: Partial<PublishersId> = {}): PublishersId => ({
  id,
  source: 'TEST',
  dataset: 'ALL',
  title: '',
  countries: '*',
  indicator: 'cpi',
  frequency: 'M',
  names: () => false,
  ...over,
})
const usa = testSeries({ dataset: 'ALL' })
const germany = testSeries({ dataset: 'ALL', country: 'DEU' })
const french = testSeries({ dataset: 'OF_FRANCE', country: 'FRA' })
const ofUsa = listed('X1', { names: ({ country }) => country === 'USA' })
const ofGermany = listed('X1', { names: ({ country }) => country === 'DEU' })

const found = (ids: readonly PublishersId[], id: string, all: readonly Series[]) =>
  new PublishersIds(ids)
    .seriesOf(
      id,
      all.map((series) => ({ series })),
    )
    .map(({ series }) => series.id)

describe('an id of a publisher', () => {
  it('names the series that are read under it, in any letter case, and no other series of their dataset', () => {
    expect(found([ofUsa], 'x1', [usa, germany, french])).toEqual([usa.id])
  })

  it('names the series of all datasets that are read under it, in the order of serving', () => {
    const derived = testSeries({ dataset: 'ALL', derivation: 'change-1y' })
    const any = [derived, germany, usa, french]
    const both = [usa, germany].map(({ id }) => id).toSorted()
    expect(found([ofUsa, ofGermany], 'X1', any)).toEqual([...both, derived.id])
  })

  it('names the series whose dataset it is, too, of whichever source', () => {
    expect(found([], 'of_france', [usa, french])).toEqual([french.id])
    expect(
      found([listed('OF_FRANCE', { names: ({ country }) => country === 'USA' })], 'OF_FRANCE', [usa, french]),
    ).toEqual([usa.id, french.id].toSorted())
    expect(found([], 'NONE', [usa, french])).toEqual([])
  })

  it('is written with or without the data structure of its dataflow', () => {
    const long = listed('DSD_LFS@DF_UNE')
    const ids = new PublishersIds([long, ofUsa, ofGermany])
    expect(ids.readAs('dsd_lfs@df_une')).toEqual([long])
    expect(ids.readAs('DF_UNE')).toEqual([long])
    expect(ids.readAs('DSD_LFS')).toEqual([])
    expect(ids.readAs('X1')).toEqual([ofUsa, ofGermany])
    const flow = testSeries({ dataset: 'DSD_LFS@DF_UNE' })
    expect(found([], 'df_une', [flow, usa])).toEqual([flow.id])
  })
})
