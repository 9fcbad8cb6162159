import type { Signal } from '../../contracts/records.ts'
import { derivedId } from '../../domain/ids.ts'
import { outageSignal } from '../../domain/price-signals.ts'
import {
  dueTimes,
  judgeDue,
  noOutages,
  type OutageNotice,
  type Outages,
  takeStanding,
} from '../../domain/source-outage.ts'
import { causedBy, type Processor, signalOutput, type Timer } from '../processor.ts'

/**
 * standings → signals. Decides which transitions of instruments are news of their own, and which belong to an outage of
 * their source, which is one signal. The standings of all partitions of ticks come together here.
 */
export const outagesProcessor: Processor<'standings', Outages> = {
  name: 'outages',
  inputs: ['standings'],
  version: 1,
  init: noOutages,
  process(state, record) {
    const { value } = record
    const at = Date.parse(value.recorded_at)
    const notices = judgeDue(state, at)
    if (value.kind === 'standing') notices.push(...takeStanding(state, value))
    return notices.map((notice) => signalOutput(signalOf(notice, at), causedBy(record)))
  },
  *timers(state): Generator<Timer> {
    for (const [source, dueAt] of dueTimes(state)) yield timer(source, dueAt)
  },
}

const signalOf = (notice: OutageNotice, at: number): Signal =>
  // A cast, because the text is the JSON of a signal that the quotes processor made.
  'signal' in notice ? (JSON.parse(notice.signal) as Signal) : outageSignal(notice.outage, at)

const timer = (source: string, dueAt: number): Timer => ({
  dueAt,
  tick: (now) => ({
    topic: 'standings',
    draft: {
      value: {
        kind: 'timer',
        symbol: '',
        source: '',
        lapse: null,
        signal: null,
        recorded_at: new Date(now).toISOString(),
      },
      id: derivedId('tmr', source, String(dueAt)),
      at: now,
    },
  }),
})
