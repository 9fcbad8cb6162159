import { describe, expect, it } from 'vitest'
import { kept, readKept } from '../../../api/admin/overview/kept-series.ts'
import { increaseAt, quantileOf, ratesOf, risesOf, SampleRing, sumOf } from '../../../api/admin/overview/sample-ring.ts'
import { ringOf, START, samplesOf } from './support.ts'

describe('the ring of samples', () => {
  it('keeps the newest samples in order, and nothing where a series had no value', () => {
    const ring = ringOf(
      samplesOf(5, (i) => ({ 'a{x=1}': i, 'a{x=2}': i === 3 ? 30 : undefined })),
      3,
    )
    expect(ring.times).toEqual([2, 3, 4].map((i) => START + i * 10_000))
    expect(ring.series('a')).toEqual([
      { labels: { x: '1' }, values: [2, 3, 4] },
      { labels: { x: '2' }, values: [undefined, 30, undefined] },
    ])
  })

  it('has as many values as samples before it is full', () => {
    const ring = ringOf([{ a: 1 }, { a: 2 }])
    expect([ring.times.length, ring.series('a')]).toEqual([2, [{ labels: {}, values: [1, 2] }]])
  })

  it('forgets a series once its last value is older than the ring, and still has its metric', () => {
    const ring = ringOf([{ a: 1 }, {}, {}], 2)
    expect([ring.series('a'), ring.has('a'), ring.has('b')]).toEqual([[], true, false])
    expect(new SampleRing().times).toEqual([])
  })
})

describe('rises and rates', () => {
  const times = [0, 10_000, 20_000, 30_000, 40_000]

  it('have a gap beside a missing value and where a series was set back', () => {
    const values = [100, 110, undefined, 130, 5]
    expect(risesOf(values, false)).toEqual([undefined, 10, undefined, undefined, undefined])
    expect(ratesOf(times, risesOf(values, false))[1]).toBe(1)
  })

  it('count the first value of a counter, but nothing from before the first sample', () => {
    expect(risesOf([undefined, 3, 4], true)).toEqual([undefined, 3, 1])
    expect(risesOf([3, 4], true)).toEqual([undefined, 1])
  })

  it('are no rates while the clock is set back', () => {
    expect(ratesOf([10_000, 5_000], [undefined, 7])).toEqual([undefined, undefined])
  })

  it('are added up where any is known', () => {
    expect(
      sumOf([
        [undefined, 1, 2],
        [undefined, undefined, 3],
      ]),
    ).toEqual([undefined, 1, 5])
  })

  it('add up over the time before a sample', () => {
    const rises = [undefined, 1, 2, undefined, 8]
    expect([20_000, 40_000].map((over) => increaseAt(times, rises, 4, over))).toEqual([8, 11])
    expect(increaseAt(times, rises, 0, 40_000)).toBeUndefined()
  })
})

it('a quantile is interpolated within its bucket, and unknown of nothing', () => {
  const buckets = [
    [0.1, 10],
    [0.2, 20],
    [Number.POSITIVE_INFINITY, 40],
  ] as const
  expect(quantileOf(0.375, buckets)).toBeCloseTo(0.15)
  expect(quantileOf(0.99, buckets)).toBe(0.2)
  expect(
    quantileOf(
      0.5,
      buckets.map(([bound]) => [bound, 0] as const),
    ),
  ).toBeUndefined()
})

describe('what is kept', () => {
  it('is folded by its labels, leaves the others out, and has no value if it cannot be read', async () => {
    const all = await readKept(async (name) => {
      if (name === 'almanac_processor_lag_offsets')
        return [3, 8].map((value, partition) => ({ labels: { processor: 'quotes', partition: `${partition}` }, value }))
      if (name === 'almanac_stream_endings_total')
        return ['unavailable', 'going_away'].map((code) => ({ labels: { stream: 'events', code }, value: 2 }))
      if (name === 'almanac_http_request_seconds_count')
        // Some labels are numbers in the registry.
        return [200, 200, 404].map((status) => ({ labels: { status: status as never, route: '/' }, value: 1 }))
      if (name === 'almanac_journal_end_offset') throw new Error('the journal is away')
      return undefined
    })
    expect(Object.fromEntries(all)).toEqual({
      almanac_processor_lag_offsets: [{ labels: { processor: 'quotes' }, value: 8 }],
      almanac_stream_endings_total: [{ labels: { stream: 'events' }, value: 2 }],
      almanac_http_request_seconds_count: [
        { labels: { status: '200' }, value: 2 },
        { labels: { status: '404' }, value: 1 },
      ],
      almanac_journal_end_offset: [],
    })
  })

  it('is named once', () => {
    const names = kept.map(({ metric }) => metric)
    expect(names).toEqual([...new Set(names)])
  })
})
