import { describe, expect, it } from 'vitest'
import { conditions } from '../../../api/admin/overview/alert-conditions.ts'
import { judgeAlerts } from '../../../api/admin/overview/judge-alerts.ts'
import { kept } from '../../../api/admin/overview/kept-series.ts'
import { SAMPLES } from '../../../api/admin/overview/sample-ring.ts'
import { documentOf } from '../../infra/container-files.ts'
import { ringOf, START, samplesOf } from './support.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}
const rules = documentOf<{ groups: { rules: Rule[] }[] }>('prometheus/rules.yaml').groups.flatMap(
  (group) => group.rules,
)
const minutesOf = (duration: string) => Number(duration.slice(0, -1)) * (duration.endsWith('h') ? 60 : 1)

/** The state of an alert, and what it says, after so many samples. */
function judge(alert: string, count: number, at: Parameters<typeof samplesOf>[1]) {
  const { state, cases } =
    judgeAlerts(ringOf(samplesOf(count, at))).find((one) => one.alert === alert) ?? expect.unreachable()
  return [state, ...cases.map(({ summary }) => summary)]
}
/** Samples in so many minutes, with the one at their start. */
const samplesIn = (minutes: number) => minutes * 6 + 1

describe('the alerts', () => {
  it('are those of rules.yaml: expression, duration, severity and summary', () => {
    const shipped = rules.map(({ alert, expr, for: duration, labels, annotations }) => ({
      alert,
      expr,
      forMinutes: minutesOf(duration),
      severity: labels.severity,
      summary: annotations.summary,
    }))
    expect(conditions.map(({ judge: _, ...rule }) => rule)).toEqual(shipped)
  })

  it('are judged by what is kept, or say why not', () => {
    const metrics = kept.map(({ metric }) => metric)
    for (const { expr, judge: judged } of conditions)
      if (typeof judged !== 'string')
        expect(
          metrics.some((metric) => expr.includes(metric)),
          expr,
        ).toBe(true)
    expect(conditions.filter(({ judge: judged }) => typeof judged === 'string').map(({ alert }) => alert)).toEqual([
      'AlmanacProcessAway',
      'AlmanacProcessorsStopped',
    ])
  })

  it('are unknown where their metric is not measured, and quiet where it is well', () => {
    const states = judgeAlerts(ringOf([{ 'almanac_part_up{part=journal}': 1 }]))
    expect(states.find(({ alert }) => alert === 'AlmanacPartAway')?.state).toBe('quiet')
    const others = states.filter(({ alert }) => alert !== 'AlmanacPartAway')
    expect(others.filter(({ state, reason }) => state !== 'unknown' || reason === undefined)).toEqual([])
  })

  const lag = (value: number) => ({ 'almanac_processor_lag_offsets{processor=quotes}': value })

  it('fire once their condition has held for the whole time', () => {
    const says = 'quotes is 5001 offsets behind its input'
    expect(judge('AlmanacProcessorBehind', 59, () => lag(5_001))).toEqual(['holds', says])
    expect(judge('AlmanacProcessorBehind', 60, () => lag(5_001))).toEqual(['fires', says])
    expect(judge('AlmanacProcessorBehind', 360, () => lag(5_000))).toEqual(['quiet'])
  })

  it('begin again after a sample in which it did not hold, or had no value', () => {
    const broken = (value: number | undefined) => (i: number) =>
      i === 50 ? { 'almanac_processor_lag_offsets{processor=quotes}': value } : lag(9_000)
    for (const value of [1, undefined])
      expect(judge('AlmanacProcessorBehind', samplesIn(15), broken(value))[0]).toBe('holds')
    expect(judge('AlmanacProcessorBehind', samplesIn(15), broken(9_000))[0]).toBe('fires')
  })

  it('begin again after the process stood still', () => {
    const ring = ringOf(samplesOf(70, () => lag(9_000)))
    const behind = () => judgeAlerts(ring).find(({ alert }) => alert === 'AlmanacProcessorBehind')
    expect(behind()?.state).toBe('fires')
    const since = START + 7_200_000
    ring.add(since, new Map([['almanac_processor_lag_offsets', [{ labels: { processor: 'quotes' }, value: 9_000 }]]]))
    expect(behind()).toMatchObject({ state: 'holds', cases: [{ beganAt: since }] })
  })

  it('tell each group for itself, what fires first', () => {
    const ring = ringOf(
      samplesOf(70, (i) => ({ ...lag(9_000), 'almanac_processor_lag_offsets{processor=events}': i > 60 ? 6_000 : 0 })),
    )
    expect(judgeAlerts(ring)[0]).toMatchObject({
      alert: 'AlmanacProcessorBehind',
      cases: [{ fires: true }, { fires: false, summary: 'events is 6000 offsets behind its input' }],
    })
  })

  it('of an hour fire within the hour that is kept', () => {
    const jobs = (failed: number) => () => ({ 'almanac_schedule_jobs{state=failed}': failed })
    const says = '2 scheduled jobs failed; /jobs on the admin port names them'
    expect(judge('AlmanacScheduledJobsFailed', SAMPLES, jobs(2))).toEqual(['fires', says])
    expect(judge('AlmanacScheduledJobsFailed', SAMPLES, jobs(0))).toEqual(['quiet'])
    const running = () => ({ 'almanac_schedule_jobs{state=running}': 3 })
    expect(judge('AlmanacScheduledJobsFailed', SAMPLES, running)).toEqual(['quiet'])
  })

  it('know a part that is away, and no table of a user’s own that is behind', () => {
    const parts = (up: number) => () => ({ 'almanac_part_up{part=journal}': up, 'almanac_part_up{part=access}': 1 })
    expect(judge('AlmanacPartAway', samplesIn(2), parts(0))).toEqual([
      'fires',
      'journal is away or not well; /health says more',
    ])
    expect(judge('AlmanacPartAway', samplesIn(2), parts(1))).toEqual(['quiet'])
    const views = (view: string) => () => ({ [`almanac_projection_lag_offsets{view=${view}}`]: 900_000 })
    expect(judge('AlmanacReadModelBehind', samplesIn(10), views('user_gdp'))).toEqual(['quiet'])
    expect(judge('AlmanacReadModelBehind', samplesIn(10), views('users'))[0]).toBe('fires')
    const topic = (value: number) => () => ({ 'almanac_archive_lag_offsets{topic=ticks}': value })
    expect(judge('AlmanacArchiveBehind', samplesIn(30), topic(50_001))[0]).toBe('fires')
    expect(judge('AlmanacArchiveBehind', samplesIn(30), topic(50_000))[0]).toBe('quiet')
  })

  it('compare what failed of the requests with all of them', () => {
    const requests = (failed: number, every: number) => (i: number) => ({
      'almanac_http_request_seconds_count{status=200}': 100 * i,
      'almanac_http_request_seconds_count{status=503}': failed * Math.floor(i / every),
    })
    expect(judge('AlmanacRequestsFail', samplesIn(10), requests(2, 1))[0]).toBe('fires')
    expect(judge('AlmanacRequestsFail', samplesIn(10), requests(1, 1))[0]).toBe('quiet')
    const none = () => ({ 'almanac_http_request_seconds_count{status=503}': 7 })
    expect(judge('AlmanacRequestsFail', samplesIn(10), none)[0]).toBe('quiet')
  })

  it('count what increases in their window', () => {
    const counter = (name: string, step: number) => (i: number) => ({ [name]: step * i })
    const retries = 'almanac_processor_retries_total{processor=quotes}'
    expect(judge('AlmanacProcessorBeginsAgain', samplesIn(16), counter(retries, 0.2))[0]).toBe('fires')
    expect(judge('AlmanacProcessorBeginsAgain', samplesIn(16), counter(retries, 0.1))[0]).toBe('quiet')
    expect(judge('AlmanacArchiveFails', samplesIn(31), counter('almanac_archive_retries_total', 0.1))[0]).toBe('fires')
    expect(judge('AlmanacArchiveFails', samplesIn(31), counter('almanac_archive_retries_total', 0.05))[0]).toBe('quiet')
    const endings = 'almanac_stream_endings_total{stream=events}'
    expect(judge('AlmanacStreamsEndUnavailable', samplesIn(12), counter(endings, 1))).toEqual([
      'fires',
      'Clients of the events stream are turned away',
    ])
    // Long ago.
    expect(judge('AlmanacStreamsEndUnavailable', samplesIn(12), (i) => ({ [endings]: i > 0 ? 9 : 0 }))[0]).toBe('quiet')
  })
})
