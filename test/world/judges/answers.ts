import type { Evidence, RestAnswer, RestQuestion, WrittenRecord } from '../evidence.ts'
import { type Judge, recordsOfTopic } from './judge.ts'

/** A print in place. Its figures are empty if they were withdrawn. */
type Print = {
  readonly id: unknown
  readonly period: string
  readonly on: string
  readonly figures: Readonly<Record<string, string>>
}
/** The prints of a series that are in place after a record, in the order of their days, those of one day as written. */
type State = { readonly prints: readonly Print[]; readonly writtenAt: number }

/** What a client must be told: a status with the code of a problem, or entries as text. */
type Truth = { readonly status: number; readonly code: string | null; readonly entries: readonly string[] }

const figuresOf = {
  cpi: ['value'],
  inflation: ['year_over_year', 'month_over_month', 'year_to_date'],
} satisfies Record<RestQuestion['indicator'], readonly string[]>

const nothingWritten: State = { prints: [], writtenAt: Number.NEGATIVE_INFINITY }

/** The states of each series after each of its records. Those after the same record are made once in a run. */
function statesOf(evidence: Evidence): ReadonlyMap<string, readonly State[]> {
  const byCell = Map.groupBy(recordsOfTopic(evidence, 'releases'), ({ value }) => {
    // Cast: the published schema of releases.
    const { country, indicator } = value.series as { country: string; indicator: string }
    return `${country} ${indicator}`
  })
  return new Map([...byCell].map(([cell, records]) => [cell, statesAfter(records)]))
}

const known = new WeakMap<WrittenRecord, State>()

function statesAfter(records: readonly WrittenRecord[]): State[] {
  const states = [nothingWritten]
  for (const record of records) {
    const state = known.get(record) ?? stateAfter(states.at(-1) ?? nothingWritten, record)
    known.set(record, state)
    states.push(state)
  }
  return states
}

function stateAfter({ prints }: State, { value, writtenAt }: WrittenRecord): State {
  const { release_id: id, period, released_on, figures, voids, redates } = value
  const others = prints.filter((print) => print.id !== (voids ?? redates))
  if (voids !== null) return { prints: others, writtenAt }
  const on = String(released_on)
  const at = others.findLastIndex((print) => print.on <= on) + 1
  // Cast: the published schema of releases.
  const print: Print = { id, period: String(period), on, figures: figures as Print['figures'] }
  return { prints: others.toSpliced(at, 0, print), writtenAt }
}

const text = (period: unknown, figure: string, value: unknown, on: unknown): string =>
  `${period} ${figure} ${value === null ? 'none' : Number(value)} of ${on}`

/** The naive model: what follows from the prints that are in place. */
function truthOf({ operation, indicator, period, asOf, day }: RestQuestion, { prints }: State): Truth {
  const end = day ?? asOf
  const dated = prints.filter(({ on }) => end === undefined || on <= end)
  const missing = (code: string): Truth => ({ status: 404, code, entries: [] })
  const isBefore = end !== undefined && prints.length > 0 && dated.length === 0
  if (dated.length === 0) return missing(isBefore ? 'no_dated_evidence' : 'no_complete_publication')
  const periods = [...new Set(dated.map((print) => print.period))].sort()
  const current = (of: string) => dated.findLast((print) => print.period === of)
  const standing = periods.flatMap((of) => current(of) ?? []).filter(({ figures }) => Object.keys(figures).length > 0)
  const textsOf = (all: readonly Print[]) =>
    all.flatMap((print) =>
      figuresOf[indicator].map((figure) => text(print.period, figure, print.figures[figure], print.on)),
    )
  if (operation === 'observations') return { status: 200, code: null, entries: textsOf(standing) }
  if (operation === 'newest') {
    const answer = period === undefined ? standing.at(-1) : standing.find((print) => print.period === period)
    return answer ? { status: 200, code: null, entries: textsOf([answer]) } : missing('no_complete_publication')
  }
  const asked = periods.filter((each) => period === undefined || each === period)
  const entries = asked.flatMap((of) =>
    figuresOf[indicator].flatMap((figure) => {
      const own = dated.filter((print) => print.period === of)
      const values = own.map((print) => ({ value: print.figures[figure] ?? null, on: print.on }))
      // Nothing is withdrawn twice, or before there is something.
      return values
        .filter(({ value }, i) => value !== null || (values[i - 1]?.value ?? null) !== null)
        .map(({ value, on }) => text(of, figure, value, on))
    }),
  )
  return period !== undefined && entries.length === 0
    ? missing('no_complete_publication')
    : { status: 200, code: null, entries }
}

/** What a client was told, in the words of the model. */
function toldIn({ question: { operation, indicator }, status, code, entries }: RestAnswer): Truth {
  const texts =
    operation === 'newest'
      ? entries.flatMap((body) =>
          figuresOf[indicator].map((figure) => text(body.period, figure, body[figure], body.released_on)),
        )
      : entries.map((entry) =>
          text(entry.period, String(entry.transformation) || 'value', entry.value, entry.released_on),
        )
  return { status, code, entries: texts }
}

const isSame = (a: Truth, b: Truth): boolean =>
  a.status === b.status && a.code === b.code && a.entries.join() === b.entries.join()

const cellOf = ({ country, indicator }: RestQuestion): string => `${country} ${indicator}`

/**
 * What an answer was read from. The newest figures are in the memory of a process, all others in the read model of all. Whether
 * there is a history is known in memory, too, so that a 404 of one says nothing about the other.
 */
const sourceOf = ({ question, process, status }: RestAnswer): string | undefined => {
  if (question.day !== undefined) return 'table'
  if (question.operation === 'newest') return process
  return status === 200 ? 'table' : undefined
}

const shown = ({ status, code, entries }: Truth): string => `${status} ${code ?? ''} ${entries.join(', ')}`

/**
 * Answers of REST: each is what follows from the records of its series up to some record that was written before it came, and
 * what was asked later is not answered with less. A node may say that it does not know yet (503), but not once all is quiet:
 * then every answer follows from all records.
 */
export const judgeAnswers: Judge = (evidence, isQuiet) => {
  const complaints: string[] = []
  const states = statesOf(evidence)
  const statesFor = ({ question }: Pick<RestAnswer, 'question'>) => states.get(cellOf(question)) ?? [nothingWritten]
  const seen = new Map<string, { at: number; state: number }[]>()
  for (const answer of evidence.answers) {
    if (answer.status === 503) continue
    const own = statesFor(answer)
    const source = sourceOf(answer)
    const place = `${source} ${cellOf(answer.question)}`
    const before = (seen.get(place) ?? []).filter(({ at }) => at <= answer.askedAt).map(({ state }) => state)
    const from = source === undefined ? 0 : Math.max(0, ...before)
    const told = toldIn(answer)
    const state = own.findIndex(
      (each, i) => i >= from && each.writtenAt <= answer.answeredAt && isSame(truthOf(answer.question, each), told),
    )
    if (state < 0) {
      const written = own.findLast(({ writtenAt }) => writtenAt <= answer.answeredAt) ?? nothingWritten
      const truth = shown(truthOf(answer.question, written))
      complaints.push(`${JSON.stringify(answer.question)} is answered with ${shown(told)}; written was ${truth}`)
    } else if (source !== undefined) seen.set(place, [...(seen.get(place) ?? []), { at: answer.answeredAt, state }])
  }
  if (!isQuiet) return complaints
  for (const { question, answer } of evidence.finalAnswers) {
    const truth = truthOf(question, statesFor({ question }).at(-1) ?? nothingWritten)
    const told = answer && toldIn(answer)
    if (!told || !isSame(told, truth))
      complaints.push(
        `${JSON.stringify(question)} is answered with ${told ? shown(told) : 'nothing'} in the end, and is ${shown(truth)}`,
      )
  }
  return complaints
}
