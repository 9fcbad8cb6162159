import type { Evidence } from '../evidence.ts'
import { judgeAnswers } from './answers.ts'
import { judgeAsOf } from './as-of.ts'
import { judgeDerived } from './derived.ts'
import { judgeEvents } from './events.ts'
import type { Judge } from './judge.ts'
import { judgeOffsets } from './offsets.ts'
import { judgePrices } from './prices.ts'
import { judgePrints } from './prints.ts'
import { judgeQuarantine } from './quarantine.ts'
import { judgeStreams } from './streams.ts'
import { judgeTables } from './tables.ts'

const judgeFailures: Judge = ({ failures }) => [...failures]

/** Lost acknowledgements: in the end every document must be acknowledged, because its publisher sends it until it is. */
const judgeDocuments: Judge = ({ documents }, isQuiet) =>
  documents
    .filter(({ isAcknowledged }) => isQuiet && !isAcknowledged)
    .map(({ sha256 }) => `document ${sha256} was never acknowledged`)

const judges: Readonly<Record<string, Judge>> = {
  failures: judgeFailures,
  documents: judgeDocuments,
  offsets: judgeOffsets,
  prints: judgePrints,
  derived: judgeDerived,
  'as of': judgeAsOf,
  answers: judgeAnswers,
  events: judgeEvents,
  streams: judgeStreams,
  tables: judgeTables,
  prices: judgePrices,
  quarantine: judgeQuarantine,
}

/** The complaints of all judges, each with the judge's name. */
export const judgeAll = (evidence: Evidence, isQuiet: boolean): string[] =>
  Object.entries(judges).flatMap(([name, judge]) => judge(evidence, isQuiet).map((text) => `${name}: ${text}`))
