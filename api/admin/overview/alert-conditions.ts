import { increaseAt, type Labels, risesOf, type SampleRing, type SampleValues, sumOf } from './sample-ring.ts'

/** What holds at a sample: each group for which the expression has a value, with it. */
type Holding = readonly { readonly labels: Labels; readonly value: number }[]
type Judged = {
  /** Says what holds at the sample with a number. */
  readonly holdingAt: (at: number) => Holding
  /** Whether the newest sample lacks a value that this needs, so that nothing holding says nothing. */
  readonly isLacking: boolean
}
/** Undefined if this process does not have the metric. */
type Judge = (ring: SampleRing) => Judged | undefined

/** An alert of `infra/prometheus/rules.yaml`, and how this process judges it by its own samples. */
export type AlertCondition = {
  readonly alert: string
  readonly expr: string
  readonly forMinutes: number
  readonly severity: 'critical' | 'warning'
  /** In Prometheus's notation: `{{ $labels.x }}` and `{{ $value }}` stand for what holds. */
  readonly summary: string
  /** A text says why a single process cannot judge it. */
  readonly judge: Judge | string
  /** Roles whose processes measure it. */
  readonly roles: readonly string[]
  /** Said where a process of these roles that is ready does not measure it, because its settings leave the part out. */
  readonly unused?: string
}

/** The greatest or least of a gauge, by a label, against a bound. */
function bound(
  fold: 'max' | 'min',
  metric: string,
  rule: {
    readonly by?: string
    readonly above?: number
    readonly is?: number
    readonly only?: Labels
    readonly notFrom?: readonly [string, string]
    /** A metric with a value for each group that this process owns now. Without it: each group that had a value. */
    readonly owned?: string
  },
): Pick<AlertCondition, 'expr' | 'judge'> {
  const { by, above, is, only = {}, notFrom, owned } = rule
  const selectors = [
    ...Object.entries(only).map(([label, value]) => `${label}="${value}"`),
    ...(notFrom ? [`${notFrom[0]}!~"${notFrom[1]}.*"`] : []),
  ]
  const selector = selectors.length > 0 ? `{${selectors}}` : ''
  const groupOf = (labels: Labels) => (by === undefined ? '' : (labels[by] ?? ''))
  const holds = (value: number) => (above === undefined ? value === is : value > above)
  return {
    expr: `${fold}${by === undefined ? '' : ` by (${by}) `}(${metric}${selector}) ${above === undefined ? `== ${is}` : `> ${above}`}`,
    judge(ring) {
      if (!ring.has(metric)) return undefined
      const chosen = ring
        .series(metric)
        .filter(({ labels }) => Object.entries(only).every(([label, value]) => labels[label] === value))
        .filter(({ labels }) => !(notFrom && labels[notFrom[0]]?.startsWith(notFrom[1])))
      const measured = new Set(chosen.filter(hasValue).map(({ labels }) => groupOf(labels)))
      const expected = owned === undefined ? chosen : ring.series(owned).filter(hasValue)
      return {
        holdingAt: (at) =>
          chosen.flatMap(({ labels, values }) => {
            const value = values[at]
            if (value === undefined || !holds(value)) return []
            return [{ labels: by === undefined ? {} : { [by]: groupOf(labels) }, value }]
          }),
        isLacking: measured.size === 0 || expected.some(({ labels }) => !measured.has(groupOf(labels))),
      }
    },
  }
}

const hasValue = ({ values }: { readonly values: SampleValues }): boolean => values.at(-1) !== undefined

/** The increase of a counter over minutes, by a label, against a bound. */
function increase(
  metric: string,
  {
    by,
    overMinutes,
    above,
    only = {},
  }: { readonly by?: string; readonly overMinutes: number; readonly above: number; readonly only?: Labels },
): Pick<AlertCondition, 'expr' | 'judge'> {
  const selectors = Object.entries(only).map(([label, value]) => `${label}="${value}"`)
  const selector = selectors.length > 0 ? `{${selectors}}` : ''
  return {
    expr: `sum${by === undefined ? '' : ` by (${by}) `}(increase(${metric}${selector}[${overMinutes}m])) > ${above}`,
    judge(ring) {
      if (!ring.has(metric)) return undefined
      const { times } = ring
      const series = ring.series(metric)
      const counters = series.map(({ labels, values }) => ({ labels, rises: risesOf(values, true) }))
      return {
        holdingAt: (at) =>
          counters.flatMap(({ labels, rises }) => {
            const value = increaseAt(times, rises, at, overMinutes * 60_000) ?? 0
            return value > above ? [{ labels, value }] : []
          }),
        // A counter that has counted nothing yet may have no value, and keeps the one that it has.
        isLacking: !series.every(hasValue),
      }
    },
  }
}

const REQUESTS = 'almanac_http_request_seconds_count'
const FAILED_SHARE = 0.01

/** The share of REST requests that were answered with 5xx in five minutes. */
const failedRequests: Pick<AlertCondition, 'expr' | 'judge'> = {
  expr: `sum(rate(${REQUESTS}{status=~"5.."}[5m])) > ${FAILED_SHARE} * sum(rate(${REQUESTS}[5m]))`,
  judge(ring) {
    if (!ring.has(REQUESTS)) return undefined
    const { times } = ring
    const series = ring.series(REQUESTS)
    const requests = series.map(({ labels, values }) => ({
      isFailure: /^5..$/.test(labels.status ?? ''),
      rises: risesOf(values, true),
    }))
    const rises = sumOf(requests.map((one) => one.rises))
    const failures = sumOf(requests.filter(({ isFailure }) => isFailure).map((one) => one.rises))
    return {
      holdingAt(at) {
        const value = increaseAt(times, failures, at, 300_000) ?? 0
        return value > FAILED_SHARE * (increaseAt(times, rises, at, 300_000) ?? 0) ? [{ labels: {}, value }] : []
      },
      isLacking: !series.every(hasValue),
    }
  },
}

const NO_ARCHIVE = 'no archive is kept: ALMANAC_ARCHIVE names no place'

/**
 * The alerts of `infra/prometheus/rules.yaml`, in its order: `test/api/alert-conditions.test.ts` holds the two together. A
 * change of a bound is made in both.
 */
export const conditions: readonly AlertCondition[] = [
  {
    alert: 'AlmanacProcessAway',
    roles: [],
    expr: 'up{job="almanac"} == 0',
    forMinutes: 2,
    severity: 'critical',
    summary: '{{ $labels.instance }} does not answer',
    judge: 'a process that is away has no page: look whether the page of each process opens',
  },
  {
    alert: 'AlmanacPartAway',
    roles: ['api'],
    ...bound('min', 'almanac_part_up', { by: 'part', is: 0 }),
    forMinutes: 2,
    severity: 'critical',
    summary: '{{ $labels.part }} is away or not well; /health says more',
  },
  {
    alert: 'AlmanacRequestsFail',
    roles: ['api'],
    ...failedRequests,
    forMinutes: 5,
    severity: 'critical',
    summary: 'More than 1 % of REST requests are answered with 5xx',
  },
  {
    alert: 'AlmanacStreamsEndUnavailable',
    roles: ['streams'],
    ...increase('almanac_stream_endings_total', {
      by: 'stream',
      overMinutes: 5,
      above: 0,
      only: { code: 'unavailable' },
    }),
    forMinutes: 10,
    severity: 'critical',
    summary: 'Clients of the {{ $labels.stream }} stream are turned away',
  },
  {
    alert: 'AlmanacProcessorBehind',
    roles: ['processors'],
    ...bound('max', 'almanac_processor_lag_offsets', {
      by: 'processor',
      above: 5_000,
      owned: 'almanac_processor_position_offset',
    }),
    forMinutes: 10,
    severity: 'warning',
    summary: '{{ $labels.processor }} is {{ $value }} offsets behind its input',
  },
  {
    alert: 'AlmanacProcessorsStopped',
    roles: [],
    expr: 'absent(almanac_processor_lag_offsets)',
    forMinutes: 2,
    severity: 'critical',
    summary: 'No node runs the processors',
    judge: 'only all nodes together show that none runs them: look at the table of processors on the page of each',
  },
  {
    alert: 'AlmanacProcessorBeginsAgain',
    roles: ['processors'],
    ...increase('almanac_processor_retries_total', { by: 'processor', overMinutes: 10, above: 10 }),
    forMinutes: 5,
    severity: 'warning',
    summary: '{{ $labels.processor }} meets fault after fault; the log says which',
  },
  {
    alert: 'AlmanacReadModelBehind',
    roles: ['projections', 'api'],
    ...bound('max', 'almanac_projection_lag_offsets', { by: 'view', above: 5_000, notFrom: ['view', 'user_'] }),
    forMinutes: 10,
    severity: 'warning',
    summary: 'The read model {{ $labels.view }} is {{ $value }} offsets behind the journal',
  },
  {
    alert: 'AlmanacArchiveBehind',
    roles: ['archive'],
    unused: NO_ARCHIVE,
    ...bound('max', 'almanac_archive_lag_offsets', { by: 'topic', above: 50_000 }),
    forMinutes: 30,
    severity: 'warning',
    summary: 'The archive is {{ $value }} offsets of {{ $labels.topic }} behind the journal',
  },
  {
    alert: 'AlmanacArchiveFails',
    roles: ['archive'],
    unused: NO_ARCHIVE,
    ...increase('almanac_archive_retries_total', { overMinutes: 15, above: 5 }),
    forMinutes: 15,
    severity: 'critical',
    summary: 'Nothing is archived; the log of the nodes with the role archive says why',
  },
  {
    alert: 'AlmanacScheduledJobsFailed',
    roles: ['ingest'],
    unused: 'no schedule runs: ALMANAC_SCHEDULE is not 1',
    ...bound('max', 'almanac_schedule_jobs', { only: { state: 'failed' }, above: 0 }),
    forMinutes: 60,
    severity: 'warning',
    summary: '{{ $value }} scheduled jobs failed; /jobs on the admin port names them',
  },
]
