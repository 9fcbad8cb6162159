import { systemTime, type Time } from '../../base/time.ts'
import type { Prediction } from '../../contracts/resources.ts'
import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import { keyOf } from '../../domain/prediction-board.ts'
import { type Fold, foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { frameOf, type Outlet, type Stream } from '../stream.ts'
import { PredictionFeed } from './feed.ts'
import { matches, type PredictionFilter, readFilter } from './subscription.ts'

const SUBSCRIBED = frameOf({ type: 'subscribed' })

type Current = { readonly prediction: Prediction; frame?: Uint8Array }
type Options = { readonly journal: TypedJournal; readonly signal: AbortSignal; readonly time?: Time }

/** The predictions stream: the current prediction of each country and indicator, then each as it changes. */
export function predictionsStream({ journal, signal, time = systemTime }: Options): Stream<PredictionFilter> & Fold {
  const board = new Map<string, Current>()
  const feeds = new Map<PredictionFeed, PredictionFilter>()
  let asOf = BEFORE_ANYTHING
  let isLoaded = false
  let isFlushDue = false

  // Encoded once, when the first subscriber needs it, and shared by all.
  const encoded = (key: string): Uint8Array => {
    const current = board.get(key)
    if (!current) throw new Error(`no prediction of ${key}`)
    current.frame ??= frameOf({ type: 'prediction', prediction: current.prediction })
    return current.frame
  }
  const flush = () => {
    isFlushDue = false
    for (const feed of feeds.keys()) feed.flush()
  }
  const apply = (prediction: Prediction, { timestamp }: { readonly timestamp: number }) => {
    const key = keyOf(prediction)
    board.set(key, { prediction })
    const at = new Date(timestamp).toISOString()
    if (at > asOf) asOf = at
    for (const [feed, filter] of feeds) if (matches(filter, prediction)) feed.changed(key)
    // One flush for all records of a batch, because they are applied in one turn of the event loop.
    if (isFlushDue || feeds.size === 0) return
    isFlushDue = true
    time.soon(flush)
  }

  const { caughtUp, done, isAway } = foldTopic(journal, 'predictions', apply, signal, time)
  caughtUp.then(
    () => {
      isLoaded = true
    },
    // A fold that fails also rejects `done`, which the process handles.
    () => undefined,
  )
  done.catch(() => {
    isLoaded = false
  })

  return {
    name: 'predictions',
    caughtUp,
    done,
    read: (message) => readFilter(message),
    attach(outlet: Outlet, filter: PredictionFilter) {
      const keys = [...board].filter(([, { prediction }]) => matches(filter, prediction)).map(([key]) => key)
      const feed = new PredictionFeed(outlet, SUBSCRIBED, keys, encoded, (gone) => feeds.delete(gone))
      feeds.set(feed, filter)
      return feed
    },
    asOf: () => asOf,
    isAway,
    isAvailable: () => isLoaded && !isAway(),
  }
}
