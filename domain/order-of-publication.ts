import type { Release } from '../contracts/records.ts'

/**
 * Releases as a service has them that read each one on the day of its release: every print revises the one before it, and
 * none came late or has a date that was corrected.
 *
 * @param releases by `released_on`, those of one day in the order of the journal, without those that another record voids or
 * redates
 */
export function inOrderOfPublication(releases: readonly Release[]): Release[] {
  const newest = new Map<string, string>()
  // A derived figure may name the record of an input whose date was corrected since.
  const redated = new Map(releases.flatMap(({ redates, release_id }) => (redates ? [[redates, release_id]] : [])))
  return releases.map((release) => {
    const figure = `${release.series.id}/${release.period}`
    const revises = newest.get(figure) ?? null
    newest.set(figure, release.release_id)
    const inputs = release.inputs.map((id) => redated.get(id) ?? id)
    return { ...release, revises, inputs, late: false, redates: null, voids: null }
  })
}
