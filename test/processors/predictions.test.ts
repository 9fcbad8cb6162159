import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Release, Series } from '../../contracts/records.ts'
import type { Prediction } from '../../contracts/resources.ts'
import { Lineage } from '../../domain/lineage.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { Figure } from '../../ingest/source.ts'
import { PUBLICATION_END } from '../../journal/layout.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type CheckpointStore, fileCheckpoints } from '../../processors/checkpoint.ts'
import { derivationsProcessor } from '../../processors/derivations/process.ts'
import { predictionsProcessor } from '../../processors/predictions/process.ts'
import type { Output, Processor } from '../../processors/processor.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { openTestJournal, recordsOf, until, valuesOf } from '../support/journal.ts'
import { accepted, candidate, flowSeries, testDocument, testSeries } from '../support/releases.ts'

const START = '2020-01'
const AT = '2026-02-27T12:00:00.000Z'
const cpi = testSeries()
const unemployment = testSeries({ indicator: 'unemployment', unit: 'percent' })
/** Grows by 0.2 or 0.3 a month. */
const level = (i: number): string => (100 + 0.25 * i + (i % 2) * 0.05).toFixed(2)

/** A rate is a tenth of the level, because it cannot be above 100. */
const figuresOf = ({ indicator }: Series, value: string): Record<string, string> =>
  indicator === 'unemployment' ? { rate: (Number(value) / 10).toFixed(2) } : { value }

const releaseOf = (series: Series, period: string, value: string, at = AT): Release =>
  accepted(candidate(series, period, figuresOf(series, value)), undefined, at)

/** A run of the processor over publications, each a list of releases whose last one ends it. */
function predictor() {
  let state = predictionsProcessor.init(0)
  let offset = 0
  const publish = (...releases: readonly Release[]) => {
    const outputs = releases.flatMap((value, i) =>
      predictionsProcessor.process(state, {
        topic: 'releases',
        partition: 0,
        offset: offset++,
        key: value.series.country,
        value,
        timestamp: Date.parse(value.recorded_at),
        headers: i === releases.length - 1 ? { [PUBLICATION_END]: 'true' } : {},
      }),
    )
    return {
      current: outputs.flatMap(({ topic, draft }) => (topic === 'predictions' ? [draft.value] : [])),
      signals: outputs.flatMap(({ topic, draft }) => (topic === 'signals' ? [draft.value] : [])),
      outputs,
    }
  }
  /** What a checkpoint does to the state. */
  const checkpoint = () => {
    state = structuredClone(state)
  }
  return { publish, checkpoint }
}
const history = (series: Series, months: number, start = START, at = AT) =>
  Array.from({ length: months }, (_, i) => releaseOf(series, shiftPeriod(start, i), level(i), at))
const typesOf = (signals: readonly { type: string }[]) => signals.map(({ type }) => type.split('.')[2])

describe('the predictions processor', () => {
  it('dates its signals by the latest release of the country and indicator', () => {
    const { publish } = predictor()
    const days = (outputs: readonly Output[]) =>
      outputs.flatMap(({ topic, draft }) => (topic === 'signals' ? [draft.releasedOn] : []))
    const releases = history(cpi, 73)
    const last = { ...(releases.pop() as Release), released_on: '2026-02-03' }
    expect(days(publish(...releases, last).outputs)).toEqual(['2026-02-27'])
    const other = releaseOf(testSeries({ country: 'DEU' }), '2026-01', '100')
    const next = releaseOf(cpi, '2026-02', level(73), '2026-03-12T12:00:00.000Z')
    expect(days(publish(next, { ...other, released_on: '2026-03-30' }).outputs)).toEqual([
      next.released_on,
      next.released_on,
    ])
  })

  it('expects the period after the newest, once a publication', () => {
    const { publish } = predictor()
    const { current, signals } = publish(...history(cpi, 73))
    expect(current).toHaveLength(1)
    expect(current[0]).toMatchObject({
      country: 'USA',
      indicator: 'cpi',
      figure: 'value',
      period: '2026-02',
      unit: 'index',
      method: 'seasonal_naive_drift',
      computed: true,
      made_at: AT,
      scored: null,
    })
    expect(signals).toEqual([
      {
        signal_id: expect.stringMatching(/^sig_[0-9A-Z]{26}$/),
        key: 'USA.cpi',
        type: 'predictions.prediction.updated',
        family: 'predictions',
        country: 'USA',
        subject: 'USA/cpi/2026-02',
        time: AT,
        dataschema: 'urn:almanac:schema:Prediction',
        data: JSON.stringify(current[0]),
      },
    ])
  })

  it('scores a prediction when its period is released, and goes on to the next', () => {
    const { publish, checkpoint } = predictor()
    const [before] = publish(...history(cpi, 73)).current as [Prediction]
    checkpoint()
    const { current, signals } = publish(releaseOf(cpi, '2026-02', '130.00'))
    expect(typesOf(signals)).toEqual(['scored', 'updated'])
    const scored = JSON.parse(signals[0]?.data ?? '')
    expect(signals[0]?.subject).toBe('USA/cpi/2026-02')
    expect(scored).toEqual({
      ...before,
      scored: {
        period: '2026-02',
        value: before.value,
        actual: '130.00',
        error: (130 - Number(before.value)).toFixed(2).replace(/0+$/, ''),
        within: false,
      },
    })
    expect(current).toHaveLength(1)
    expect(current[0]).toMatchObject({ period: '2026-03', scored: scored.scored })
    expect(new Set(signals.map(({ signal_id }) => signal_id)).size).toBe(2)
  })

  it('says nothing where nothing is expected anew', () => {
    const { publish } = predictor()
    publish(...history(cpi, 73))
    const other = publish(...history(testSeries({ country: 'CAN' }), 10))
    const again = publish(releaseOf(cpi, '2026-01', level(72), '2026-02-28T12:00:00.000Z'))
    expect([other.outputs, again.outputs]).toEqual([[], []])
    const revised = publish(releaseOf(cpi, '2026-01', '120.00'))
    expect(typesOf(revised.signals)).toEqual(['updated'])
    expect(revised.current[0]).toMatchObject({ period: '2026-02' })
  })

  it('follows the series that is served, and scores only what was made from the same one', () => {
    const { publish } = predictor()
    publish(...history(cpi, 73))
    const better = testSeries({ source: 'BLS', base_period: '2020' })
    const switched = publish(...history(better, 74))
    expect(typesOf(switched.signals)).toEqual(['updated'])
    expect(switched.current[0]).toMatchObject({ period: '2026-03', scored: null })
    expect(publish(releaseOf(cpi, '2026-02', '118.00')).outputs).toEqual([])
    // Months answer "latest": a year changes nothing.
    publish(...history(unemployment, 73))
    expect(publish(releaseOf({ ...unemployment, id: 'yearly', frequency: 'A' }, '2025', '117')).outputs).toEqual([])
  })

  it('does not score a period that is passed over', () => {
    const { publish } = predictor()
    publish(...history(cpi, 73))
    const { current, signals } = publish(releaseOf(cpi, '2026-03', '118.50', '2026-04-20T12:00:00.000Z'))
    expect(typesOf(signals)).toEqual(['updated'])
    expect(current[0]).toMatchObject({ period: '2026-04', scored: null })
  })

  it('makes nothing of a history that is loaded long after, but for its end', () => {
    const { publish } = predictor()
    const signals = history(cpi, 252, '2005-01').map((release) => publish(release).signals)
    const firstSpoken = signals.findIndex((some) => some.length > 0)
    // Six years before 2026-02-27: the prediction of February 2020, made from January 2020.
    expect(shiftPeriod('2005-01', firstSpoken)).toBe('2020-01')
    expect(signals.flat().length).toBeLessThanOrEqual(2 * 72)
    expect(signals.every((some) => some.length <= 2)).toBe(true)
  })

  it('leaves out exports that are not public, and what is not served', () => {
    const { publish } = predictor()
    const outputsOf = (series: Series) => publish(...history(series, 73)).current.map(({ indicator }) => indicator)
    expect(outputsOf(flowSeries('trade-exports'))).toEqual(['trade-exports'])
    expect(outputsOf(flowSeries('trade-exports', { country: 'BRA' }))).toEqual([])
    expect(outputsOf(flowSeries('trade-imports', { country: 'BRA' }))).toEqual(['trade-imports'])
    expect(outputsOf(testSeries({ indicator: 'gdp-volume' }))).toEqual([])
  })

  it('decides on several series of one publication when it ends', () => {
    const { publish } = predictor()
    const both = publish(...history(cpi, 73), ...history(unemployment, 73))
    expect(both.current.map(({ indicator, figure }) => `${indicator} ${figure}`)).toEqual([
      'cpi value',
      'unemployment rate',
    ])
  })
})

/** Runs derivations and predictions until both have read all of `releases`. */
async function settle(
  journal: TypedJournal,
  checkpoints: CheckpointStore,
  predictions: typeof predictionsProcessor = predictionsProcessor,
): Promise<void> {
  const processors = [derivationsProcessor, predictions] as unknown as Processor<'releases', unknown>[]
  const stop = new AbortController()
  const positions = new Map<string, number>()
  const running = processors.map((processor) =>
    runProcessor(processor, {
      journal,
      checkpoints,
      signal: stop.signal,
      onProgress: ({ position }) => positions.set(processor.name, position),
    }),
  )
  const settled = until('both are caught up', async () => {
    const { end } = await journal.bounds('releases', 0)
    return processors.every(({ name }) => positions.get(name) === end)
  })
  await Promise.race([settled, ...running])
  stop.abort()
  await Promise.all(running)
}

const fetched = { ...testDocument, retrievedAt: AT }
const figures = (from: number, to: number, series = cpi): Figure[] =>
  Array.from({ length: to - from }, (_, i) => ({
    kind: 'figure' as const,
    series,
    period: shiftPeriod(START, from + i),
    figures: { value: { printed: level(from + i) } },
    location: `row ${from + i}`,
  }))

describe('predictions through the runtime', () => {
  it('come of primary and derived releases, exactly once, over a restart with and without a checkpoint', async () => {
    const outcomes = []
    for (const keepCheckpoint of [true, false]) {
      const { journal, directory } = await openTestJournal()
      const now = () => Date.parse(AT)
      await new Acceptor(journal, { now }).accept(fetched, figures(0, 73))
      await settle(journal, fileCheckpoints(join(directory, 'c'), new Lineage(journal)))
      const first = await valuesOf(journal, 'predictions')
      expect(first.map(({ indicator, period }) => `${indicator} ${period}`).sort()).toEqual([
        'cpi 2026-02',
        'inflation 2026-02',
      ])
      await new Acceptor(journal, { now }).accept(fetched, figures(73, 74))
      await settle(journal, fileCheckpoints(join(directory, keepCheckpoint ? 'c' : 'elsewhere'), new Lineage(journal)))
      const signals = await recordsOf(journal, 'signals')
      expect(signals.map(({ value }) => `${typesOf([value])} ${value.subject}`)).toEqual([
        'updated USA/cpi/2026-02',
        'updated USA/inflation/2026-02',
        'scored USA/cpi/2026-02',
        'updated USA/cpi/2026-03',
        'scored USA/inflation/2026-02',
        'updated USA/inflation/2026-03',
      ])
      expect(signals.every(({ headers }) => /^releases\/0\/\d+$/.test(headers.cause ?? ''))).toBe(true)
      const current = new Map((await recordsOf(journal, 'predictions')).map(({ key, value }) => [key, value]))
      expect(current.get('USA.inflation')).toMatchObject({ period: '2026-03', scored: { period: '2026-02' } })
      outcomes.push(signals.map(({ value }) => value))
    }
    // The same from a checkpoint as from the log: ids, values and times.
    expect(outcomes[0]).toEqual(outcomes[1])
  })

  it('are scored only if they were published: an earlier version may have predicted from another series', async () => {
    const { journal, directory } = await openTestJournal()
    const other = testSeries({ source: 'WB' })
    const at = '2026-05-27T12:00:00.000Z'
    const accept = (...given: Figure[]) =>
      new Acceptor(journal, { now: () => Date.parse(at) }).accept({ ...fetched, retrievedAt: at }, given)
    await accept(...figures(0, 73))
    await accept(...figures(0, 75, other))
    const checkpoints = fileCheckpoints(join(directory, 'c'), new Lineage(journal))
    // It left out a series that goes on longer than the best one.
    await settle(journal, checkpoints, {
      ...predictionsProcessor,
      version: 1,
      process: (state, record) =>
        record.value.series.source === 'WB' ? [] : predictionsProcessor.process(state, record),
    })
    const subjects = async () =>
      (await valuesOf(journal, 'signals')).map((signal) => `${typesOf([signal])} ${signal.subject}`).sort()
    const former = ['updated USA/cpi/2026-02', 'updated USA/inflation/2026-02']
    expect(await subjects()).toEqual(former)
    await accept(...figures(75, 76, other))
    for (let restart = 0; restart < 2; restart++) {
      await settle(journal, fileCheckpoints(join(directory, `c${restart}`), new Lineage(journal)))
      expect(await subjects()).toEqual([...former, 'updated USA/cpi/2026-05', 'updated USA/inflation/2026-05'].sort())
    }
    await accept(...figures(76, 77, other))
    await settle(journal, checkpoints)
    expect((await subjects()).filter((subject) => subject.startsWith('scored'))).toEqual([
      'scored USA/cpi/2026-05',
      'scored USA/inflation/2026-05',
    ])
  })
})
