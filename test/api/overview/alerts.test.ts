import { describe, expect, it } from 'vitest'
import { conditions } from '../../../api/admin/overview/alert-conditions.ts'
import { type Judging, judgeAlerts } from '../../../api/admin/overview/judge-alerts.ts'
import { kept } from '../../../api/admin/overview/kept-series.ts'
import { SAMPLES, type SampleRing } from '../../../api/admin/overview/sample-ring.ts'
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

const roles = ['ingest', 'processors', 'projections', 'api', 'archive', 'streams']
const everywhere: Judging = { roles, standsBy: [], isReady: true, isFresh: true }
const alertOf = (alert: string, ring: SampleRing, by: Partial<Judging> = {}) =>
  judgeAlerts(ring, { ...everywhere, ...by }).find((one) => one.alert === alert) ?? expect.unreachable()

/** The state of an alert, and what it says, after so many samples. */
function judge(alert: string, count: number, at: Parameters<typeof samplesOf>[1]) {
  const { state, cases } = alertOf(alert, ringOf(samplesOf(count, at)))
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
    expect(conditions.map(({ judge: _, roles: _roles, unused: _unused, ...rule }) => rule)).toEqual(shipped)
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

  it('are unknown as long as this process should measure them and does not, and quiet where all is well', () => {
    const states = (by: Partial<Judging>) => {
      const all = judgeAlerts(ringOf([{ 'almanac_part_up{part=journal}': 1 }]), { ...everywhere, ...by })
      expect(all.filter(({ state, reason }) => (reason === undefined) !== (state === 'quiet'))).toEqual([])
      const named = (wanted: string) => all.filter(({ state }) => state === wanted).map(({ alert }) => alert)
      return { quiet: named('quiet'), unknown: named('unknown') }
    }
    const ofApi = ['AlmanacRequestsFail', 'AlmanacReadModelBehind']
    expect(states({ roles: ['api'] })).toEqual({ quiet: ['AlmanacPartAway'], unknown: ofApi })
    expect(states({ roles: ['api'], isFresh: false })).toEqual({ quiet: [], unknown: ['AlmanacPartAway', ...ofApi] })
    expect(states({ roles: ['streams'] })).toEqual({ quiet: [], unknown: ['AlmanacStreamsEndUnavailable'] })
    // Without a schedule or an archive, which is known once the process is ready.
    expect(states({ roles: ['ingest', 'archive'] })).toEqual({ quiet: [], unknown: [] })
    expect(states({ roles: ['ingest', 'archive'], isReady: false }).unknown).toHaveLength(3)
    // A part that is missing is never irrelevant in a process that serves.
    expect(alertOf('AlmanacPartAway', ringOf([{}]), { roles: ['api'] }).state).toBe('unknown')
  })

  it('are unknown while a value is missing, unless another process has taken the work over', () => {
    const view = (name: string) => `almanac_projection_lag_offsets{view=${name}}`
    const readModels = (newest: Record<string, number>) =>
      alertOf('AlmanacReadModelBehind', ringOf([{ [view('vintages')]: 1, [view('users')]: 1 }, newest])).state
    expect(readModels({ [view('vintages')]: 1, [view('users')]: 1 })).toBe('quiet')
    for (const newest of [{}, { [view('vintages')]: 1 }]) expect(readModels(newest)).toBe('unknown')
    const [lags, position] = ['almanac_processor_lag_offsets', 'almanac_processor_position_offset{processor=quotes}']
    const processors = (newest: Record<string, number>, standsBy: string[] = []) =>
      alertOf('AlmanacProcessorBehind', ringOf([lag(1), newest]), { standsBy }).state
    expect(processors({ ...lag(1), [position]: 5 })).toBe('quiet')
    expect(processors({ [position]: 5, [`${lags}{processor=events}`]: 1 })).toBe('unknown')
    expect([processors({}), processors({}, ['processors'])]).toEqual(['unknown', 'elsewhere'])
    // Given to another process.
    expect(processors({ [`${lags}{processor=events}`]: 1 })).toBe('quiet')
    const retries = 'almanac_archive_retries_total'
    expect(alertOf('AlmanacArchiveFails', ringOf([{ [retries]: 0 }, {}])).state).toBe('unknown')
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
    const behind = () => alertOf('AlmanacProcessorBehind', ring)
    expect(behind().state).toBe('fires')
    const since = START + 7_200_000
    ring.add(since, new Map([['almanac_processor_lag_offsets', [{ labels: { processor: 'quotes' }, value: 9_000 }]]]))
    expect(behind()).toMatchObject({ state: 'holds', cases: [{ beganAt: since }] })
  })

  it('tell each group for itself, what fires first', () => {
    const ring = ringOf(
      samplesOf(70, (i) => ({ ...lag(9_000), 'almanac_processor_lag_offsets{processor=events}': i > 60 ? 6_000 : 0 })),
    )
    expect(judgeAlerts(ring, everywhere)[0]).toMatchObject({
      alert: 'AlmanacProcessorBehind',
      cases: [{ fires: true }, { fires: false, summary: 'events is 6000 offsets behind its input' }],
    })
  })

  it('of an hour fire within the hour that is kept', () => {
    const jobs = (failed: number) => () => ({ 'almanac_schedule_jobs{state=failed}': failed })
    const says = '2 scheduled jobs failed; /jobs on the admin port names them'
    expect(judge('AlmanacScheduledJobsFailed', SAMPLES, jobs(2))).toEqual(['fires', says])
    expect(judge('AlmanacScheduledJobsFailed', SAMPLES, jobs(0))).toEqual(['quiet'])
    const running = () => ({ 'almanac_schedule_jobs{state=running}': 3, 'almanac_schedule_jobs{state=failed}': 0 })
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
    const own = { ...views('user_gdp')(), 'almanac_projection_lag_offsets{view=users}': 0 }
    expect(judge('AlmanacReadModelBehind', samplesIn(10), () => own)).toEqual(['quiet'])
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
