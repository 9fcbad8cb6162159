import { dataSchema } from '../contracts/event-data.ts'
import type { Signal } from '../contracts/records.ts'
import type { Prediction } from '../contracts/resources.ts'
import { derivedId } from './ids.ts'
import { keyOf } from './prediction-board.ts'

/**
 * The signal of a prediction that was updated or scored at the end of a publication. `releaseId` is the last release of
 * that publication.
 */
export function predictionSignal(
  type: 'updated' | 'scored',
  prediction: Prediction,
  releaseId: string,
  time: string,
): Signal {
  const key = keyOf(prediction)
  return {
    signal_id: derivedId('sig', releaseId, key, type),
    key,
    type: `predictions.prediction.${type}`,
    family: 'predictions',
    country: prediction.country,
    subject: `${prediction.country}/${prediction.indicator}/${prediction.period}`,
    time,
    dataschema: dataSchema('Prediction'),
    data: JSON.stringify(prediction),
  }
}
