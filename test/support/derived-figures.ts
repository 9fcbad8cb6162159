import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import type { Figure } from '../../ingest/source.ts'

/** What the service derives from figures: the current derived release of each series and period. */
export function derivedFrom(figures: Iterable<Figure>, at = '2026-01-01T00:00:00.000Z'): Release[] {
  const state = nothingDerived()
  const known = new Map<string, KnownRelease>()
  const derived = new Map<string, Release>()
  for (const { series, period, figures: printed, released } of figures) {
    const place = `${series.id} ${period}`
    const decision = decideRelease(known.get(place), { series, period, printed, released, provenance: null }, at)
    if (!('release' in decision)) continue
    known.set(place, asKnown(decision.release, known.get(place)))
    for (const release of deriveFrom(state, [decision.release]))
      derived.set(`${release.series.id} ${release.period}`, release)
  }
  return [...derived.values()]
}
