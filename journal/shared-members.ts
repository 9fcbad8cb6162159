import type { Provenance, Release, Series } from '../contracts/records.ts'
import type { RecordOf, Topic } from '../contracts/topics.ts'

/** Changes a record that was just decoded, before anybody has seen it. */
type Sharing<T extends Topic> = (value: RecordOf<T>) => void

/** How the records of a topic share what they have in common; undefined if they have too little. */
export const sharingOf = <T extends Topic>(topic: T): Sharing<T> | undefined =>
  // Cast: the topic of the releases has these records.
  topic === 'releases' ? (sharingOfReleases() as Sharing<Topic> as Sharing<T>) : undefined

/**
 * Lets releases share what they repeat: the series, and of the release before the day and most of what is known of the document.
 * Decoded for each of them anew, this is more than half of the memory of a process that keeps releases. Objects that are shared
 * are frozen.
 */
function sharingOfReleases(): (release: Release) => void {
  const seriesById = new Map<string, Series>()
  let last: Release | undefined
  let document: Provenance | undefined
  return (release) => {
    const known = seriesById.get(release.series.id)
    if (known && areEqual(release.series, known)) release.series = known
    else seriesById.set(release.series.id, Object.freeze(release.series))
    if (last) shareDays(release, last)
    if (release.provenance) shareDocument(release.provenance, document)
    last = release
    // A derived release has none, and the next one may be of the same document again.
    document = release.provenance ?? document
  }
}

/** Each text is compared and then replaced by the equal one, so that only that is kept. */
function shareDays(release: Release, last: Release): void {
  if (release.recorded_at === last.recorded_at) release.recorded_at = last.recorded_at
  if (release.released_on === last.released_on) release.released_on = last.released_on
  if (release.released_on_basis === last.released_on_basis) release.released_on_basis = last.released_on_basis
}

function shareDocument(document: Provenance, last: Provenance | undefined): void {
  if (document.copy) Object.freeze(document.copy)
  if (document.file) Object.freeze(document.file)
  if (!last) return
  if (document.publisher === last.publisher) document.publisher = last.publisher
  if (document.url === last.url) document.url = last.url
  if (document.licence === last.licence) document.licence = last.licence
  if (document.retrieved_at === last.retrieved_at) document.retrieved_at = last.retrieved_at
  if (document.sha256 === last.sha256) document.sha256 = last.sha256
  if (document.copy && last.copy && areEqual(document.copy, last.copy)) document.copy = last.copy
  if (document.file && last.file && areEqual(document.file, last.file)) document.file = last.file
}

/** Whether two objects of one type, which have no objects in them, are equal. */
function areEqual<T extends object>(a: T, b: T): boolean {
  for (const name in a) if (a[name] !== b[name]) return false
  return true
}
