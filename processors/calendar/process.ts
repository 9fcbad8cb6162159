import { calendarSignal } from '../../domain/calendar-signal.ts'
import { derivedId } from '../../domain/ids.ts'
import {
  dueChanges,
  hasArrived,
  nothingWatched,
  type WatchState,
  watchChange,
  watchDates,
  watchRelease,
} from '../../domain/release-watch.ts'
import { causedBy, type Processor, signalOutput, type Timer } from '../processor.ts'

/**
 * releases, calendar, release_dates → signals. Announces releases that are expected, late, cancelled, restored or were
 * never published. Its timers record in `calendar` what they notice, and it is announced when it is read back, like what
 * operators write there. So what was announced follows from that one topic, however the inputs came together.
 */
export const calendarProcessor: Processor<'releases' | 'calendar' | 'release_dates', WatchState> = {
  name: 'calendar',
  inputs: ['releases', 'calendar', 'release_dates'],
  version: 8,
  init: nothingWatched,
  process(state, record) {
    if (record.topic === 'releases') {
      watchRelease(state, record.value)
      return []
    }
    if (record.topic === 'release_dates') {
      watchDates(state, record.value)
      return []
    }
    const { value: change, offset } = record
    const isNoticed = change.change === 'expected' || change.change === 'late'
    // The release may have come while the timer's record was on its way.
    if (!watchChange(state, change) || (isNoticed && hasArrived(state, change))) return []
    return [signalOutput(calendarSignal(change, offset), causedBy(record))]
  },
  // What is due changes with the days. After each record it is made anew.
  timersEveryMs: 1_000,
  *timers(state, now): Generator<Timer> {
    for (const { dueAt, change } of dueChanges(state, now)) {
      const { country, indicator, period, expected_on } = change
      const id = derivedId('cal', change.change, country, indicator, period, expected_on ?? '')
      const tick: Timer['tick'] = (at) => ({
        topic: 'calendar',
        draft: { value: { ...change, recorded_at: new Date(at).toISOString() }, id, at },
      })
      yield { dueAt, tick }
    }
  },
}
