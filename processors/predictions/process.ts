import type { Prediction } from '../../contracts/records.ts'
import { derivedId } from '../../domain/ids.ts'
import {
  endPublication,
  keepRecorded,
  keyOf,
  noPredictions,
  type PredictionState,
  takeRelease,
} from '../../domain/prediction-board.ts'
import { predictionSignal } from '../../domain/prediction-signal.ts'
import { PUBLICATION_END } from '../../journal/layout.ts'
import { causedBy, type InputRecord, type Output, type Processor, signalOutput } from '../processor.ts'

/**
 * releases → predictions, signals. Predicts the next figure of each country and indicator, and scores the prediction
 * before it. Decides when a publication ends, so that a publication makes at most one prediction for each.
 */
export const predictionsProcessor: Processor<'releases', PredictionState> = {
  name: 'predictions',
  inputs: ['releases'],
  version: 3,
  init: noPredictions,
  process(state, record) {
    const { value: release, headers } = record
    takeRelease(state, release)
    if (headers[PUBLICATION_END] === undefined) return []
    return endPublication(state, release.recorded_at).flatMap(({ scored, updated, current, releasedOn }): Output[] => [
      ...(scored ? [predictionSignalOutput('scored', scored, record, releasedOn)] : []),
      ...(updated ? [predictionSignalOutput('updated', updated, record, releasedOn)] : []),
      predictionOutput(current, record),
    ])
  },
  recorded: {
    topic: 'predictions',
    resume: (state, newest) => keepRecorded(state, newest as Iterable<Prediction>),
  },
}

function predictionOutput(value: Prediction, record: InputRecord<'releases'>): Output {
  const id = derivedId('prd', record.value.release_id, keyOf(value))
  return { topic: 'predictions', draft: { value, id, ...causedBy(record) } }
}

function predictionSignalOutput(
  type: 'updated' | 'scored',
  prediction: Prediction,
  record: InputRecord<'releases'>,
  releasedOn: string,
): Output {
  const { release_id, recorded_at } = record.value
  const signal = predictionSignal(type, prediction, release_id, recorded_at)
  return signalOutput(signal, { releasedOn, ...causedBy(record) })
}
