import type { Topic } from '../../contracts/topics.ts'

/** Namespace of the tables. */
export const NAMESPACE = 'almanac'

/** Topics that are Iceberg tables of the same name. The others are of use to the service alone, or hold secrets. */
export const tableTopics = [
  'releases',
  'events',
  'ticks',
  'quotes',
  'predictions',
  'signals',
] as const satisfies Topic[]
export type TableTopic = (typeof tableTopics)[number]

export const isTableTopic = (name: string): name is TableTopic => (tableTopics as readonly string[]).includes(name)
