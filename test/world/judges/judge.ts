import type { Evidence, WrittenRecord } from '../evidence.ts'

/**
 * Looks for broken promises in what a run leaves behind, and says each in a sentence. Judges share no code with the product.
 * `isQuiet`: the faults ended a while ago, so that everything must have arrived.
 */
export type Judge = (evidence: Evidence, isQuiet: boolean) => string[]

export const recordsOfTopic = ({ records }: Evidence, topic: string): WrittenRecord[] =>
  records.filter((record) => record.topic === topic)

export const placeOf = ({ topic, partition, offset }: WrittenRecord): string => `${topic}/${partition}/${offset}`

/** Figures as text, equal if the numbers are. Decimals of the world have no exponent, so that equal ones differ only in zeros. */
export const figuresText = ({ figures }: WrittenRecord['value']): string =>
  // Cast: the published schema of releases.
  Object.entries(figures as Record<string, string>)
    .map(([member, value]) => `${member} ${Number(value)}`)
    .sort()
    .join(' ')

/** The id of a release's series. */
export const seriesId = ({ series }: WrittenRecord['value']): string => (series as { id: string }).id

/** Whether a release is a publisher's, and not derived. */
export const isPublished = ({ series }: WrittenRecord['value']): boolean =>
  (series as { derivation: string }).derivation === ''
