import { indicators, isPublic, isServed, servingOf } from '../../contracts/indicators.ts'
import { ProblemError } from '../../contracts/problems.ts'
import type { Release } from '../../contracts/records.ts'
import {
  type ReleaseDetail,
  type ReleaseInput,
  releaseOperationId,
  releasePath,
} from '../../contracts/release-detail.ts'
import type { ServedProvenance } from '../../contracts/served-provenance.ts'
import { eventIdOf } from '../../domain/release-event.ts'
import { sequenceText } from '../../domain/served-event.ts'
import { caching, type Render } from '../answer.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { isOfRelease, releaseBehind } from '../release-behind.ts'

type ReleaseRequest = OperationInput & { readonly params: { readonly release_id: string } }
type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'vintages' | 'events' | 'newestRelease'>

/**
 * Serves a release by its id. A release of an indicator that is not public for its country is answered like an unknown
 * id: an id is derived from the figures, so any difference would let a client test guesses of them.
 */
export const releaseHandlers = (deps: Deps, render: Render): Handlers => ({
  [releaseOperationId]: handler<ReleaseRequest, string>({
    needsSlot: true,
    ask: ({ params }) => params.release_id,
    answer: async (key) => {
      const id = key.startsWith('evt_') ? await releaseOfEvent(deps, key) : key
      const release = (await publicReleases(deps, [id])).get(id)
      if (!release) throw await missing(deps, id)
      return render(releaseOperationId, await detailOf(deps, release), caching.period)
    },
  }),
})

/** The id of the release that an event is about. An event of something else is answered like an unknown id. */
async function releaseOfEvent(deps: Deps, eventId: string): Promise<string> {
  const event = await deps.events.byId(eventId)
  if (!event || !isOfRelease(event)) {
    throw new ProblemError('release_not_found', `No public release has made the event ${eventId}.`)
  }
  const id = await releaseBehind(deps, event)
  if (id === undefined) throw behind()
  return id
}

/** The public releases among `ids`: current ones from memory, and the others from ClickHouse. */
async function publicReleases(
  { releaseIndex, vintages }: Pick<Deps, 'releaseIndex' | 'vintages'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Release>> {
  const found = new Map<string, Release>()
  for (const id of ids) {
    const release = releaseIndex.current(id)
    if (release && isOpen(release)) found.set(id, release)
  }
  const others = ids.filter((id) => !found.has(id))
  const stored = others.length > 0 ? await vintages.byIds(others) : []
  for (const release of stored) if (isOpen(release)) found.set(release.release_id, release)
  return found
}

const isOpen = ({ series }: Release): boolean => isPublic(series.indicator, series.country)

/** While ClickHouse is behind, a release that has just been revised is in neither place. So the client may ask again. */
async function missing({ vintages, newestRelease }: Deps, id: string): Promise<ProblemError> {
  const watermark = (await vintages.watermark()) ?? -1
  return watermark < newestRelease()
    ? behind()
    : new ProblemError('release_not_found', `No public release has the id ${id}.`)
}

const behind = () => new ProblemError('unavailable', 'The read models have not reached the newest releases yet.')

async function detailOf(deps: Deps, release: Release): Promise<ReleaseDetail> {
  const { figures, releaseIndex, vintages, events } = deps
  const { release_id, series, period, revises, released_on, released_on_basis, recorded_at } = release
  const { country, indicator } = series
  const is_current = releaseIndex.current(release_id) !== undefined
  // A record that voids a release is no print, so no other one follows it.
  const isLast = is_current || release.voids !== null
  const [successor, inputs, event] = await Promise.all([
    isLast ? undefined : vintages.successorOf(release),
    inputsOf(deps, release),
    indicators[indicator].served ? events.byId(eventIdOf(release_id)) : undefined,
  ])
  if (!isLast && successor === undefined) throw behind()
  return {
    release_id,
    country,
    indicator,
    series,
    period,
    figures: release.figures,
    printed: series.derivation === '' ? release.published : null,
    revises,
    revised_by: successor?.releaseId ?? null,
    released_on,
    released_on_basis,
    recorded_at,
    late: release.late,
    redates: release.redates,
    voids: release.voids,
    is_current,
    is_voided: successor?.isVoiding ?? false,
    is_served: isServed(indicator) && figures.inHistory(country, indicator, period)?.release_id === release_id,
    provenance: servedProvenance(release.provenance),
    // A new object, for the reason that `servedProvenance` gives.
    approval: release.approval && { ...release.approval },
    derivation: series.derivation,
    inputs,
    event: event ? { id: event.id, sequence: sequenceText(event.sequence), time: event.time } : null,
    link: isServed(indicator) ? `/v1/economics/${country}/${servingOf(indicator).path}?period=${period}` : null,
  }
}

/**
 * The served form of a provenance. All objects are new, without a prototype's methods: records of the journal are
 * instances of avsc's classes, whose methods the serialiser would take for unknown members of a value that may be null.
 */
const servedProvenance = (provenance: Release['provenance']): ServedProvenance | null =>
  provenance && {
    ...provenance,
    retrieved_at: provenance.retrieved_at || null,
    sha256: provenance.sha256 || null,
    copy: provenance.copy && { ...provenance.copy },
    file: provenance.file && { ...provenance.file },
  }

/** The inputs of a release in the order of the derivation. Those that are not public are left out. */
async function inputsOf(deps: Deps, { inputs }: Release): Promise<ReleaseInput[]> {
  const found = await publicReleases(deps, inputs)
  return inputs.flatMap((id) => {
    const input = found.get(id)
    if (!input) return []
    const { series, period, figures, provenance } = input
    return [
      {
        release_id: id,
        indicator: series.indicator,
        period,
        figures,
        provenance: servedProvenance(provenance),
        link: releasePath(id),
      },
    ]
  })
}
