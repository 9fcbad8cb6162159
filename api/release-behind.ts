import type { EventRecord } from '../contracts/records.ts'
import { eventIdOf } from '../domain/release-event.ts'
import type { ApiDeps } from './deps.ts'

export const isOfRelease = ({ type }: EventRecord): boolean => type.startsWith('economics.release.')

/** The id of the release behind an event, whose own id is made from it; undefined while its table is behind. */
export async function releaseBehind(
  { vintages }: Pick<ApiDeps, 'vintages'>,
  { id, subject }: EventRecord,
): Promise<string | undefined> {
  const [country = '', indicator = '', period = ''] = subject.split('/')
  return (await vintages.idsOf(country, indicator, period)).find((release) => eventIdOf(release) === id)
}
