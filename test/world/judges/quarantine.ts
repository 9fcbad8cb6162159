import { type Judge, recordsOfTopic } from './judge.ts'

/** Each row of an acknowledged document that cannot be read is in quarantine, and nothing else of the world is. */
export const judgeQuarantine: Judge = (evidence, isQuiet) => {
  const kept = new Set(recordsOfTopic(evidence, 'quarantine').map(({ value }) => `${value.sha256} ${value.location}`))
  const stated = evidence.documents.flatMap(({ sha256, faults, isAcknowledged }) =>
    faults.map((location) => ({ place: `${sha256} ${location}`, isAcknowledged })),
  )
  const known = new Set(stated.map(({ place }) => place))
  return [
    ...[...kept].filter((place) => !known.has(place)).map((place) => `${place} is in quarantine without a fault`),
    ...stated
      .filter(({ place, isAcknowledged }) => isQuiet && isAcknowledged && !kept.has(place))
      .map(({ place }) => `${place} was acknowledged and is not in quarantine`),
  ]
}
