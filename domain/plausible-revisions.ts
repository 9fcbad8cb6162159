import type { FigureRange } from '../contracts/indicators.ts'
import { distance, isLevel } from './plausible-steps.ts'
import { median } from './quantile.ts'

/** A figure that is stated for a period which has one on record. */
export type Revision = { readonly from: number; readonly to: number }
export type RevisionFault = { readonly reason: 'held_scale' | 'held_base' | 'held_series'; readonly detail: string }

/** Fewest figures that show a shift by a power of ten, any other shift, and another series. */
const FEWEST = { power: 3, shift: 12, series: 24 }
/** A whole history of levels is not revised by a larger factor than this. */
const LARGEST_SHIFT = 1.25
/** Ratios that differ by less than this from another are equal up to rounding. */
const ROUNDING = 0.005

/**
 * Says what is wrong with the revisions of one publication as a whole: figures in another unit or of another base, or
 * figures that do not move with those on record and so belong to another series. Real revisions of a whole history, such as
 * a benchmark revision of GDP or a new seasonal adjustment, move with the figures that they revise. `revisions` are in the
 * order of their periods; `hasBase` says that the figures are relative to a base.
 */
export function faultOfRevisions(
  range: FigureRange,
  hasBase: boolean,
  revisions: readonly Revision[],
): RevisionFault | undefined {
  if (range === 'any' || revisions.length < FEWEST.power) return undefined
  const changed = revisions.filter(({ from, to }) => from !== to).length
  if (changed * 2 < revisions.length) return undefined
  return faultOfScale(range, hasBase, revisions) ?? faultOfShape(range, revisions, changed)
}

function faultOfScale(range: FigureRange, hasBase: boolean, revisions: readonly Revision[]): RevisionFault | undefined {
  const ratios = revisions.flatMap(({ from, to }) => (from !== 0 && to !== 0 ? [to / from] : []))
  if (ratios.length < FEWEST.power) return undefined
  const ratio = median(ratios)
  const power = Math.round(Math.log10(ratio))
  const near = (other: number, tolerance: number) => Math.abs(other / ratio - 1) < tolerance
  const times = `${ratios.length} figures are about ${Number(ratio.toPrecision(3))} times those on record`
  if (power !== 0 && near(10 ** power, 0.1) && mostOf(ratios, (other) => near(other, 0.1)))
    return { reason: 'held_scale', detail: `${times}, as in another unit or with another multiplier.` }
  if (!isLevel(range) || ratios.length < FEWEST.shift) return undefined
  if (hasBase && !near(1, ROUNDING) && mostOf(ratios, (other) => near(other, ROUNDING)))
    return {
      reason: 'held_base',
      detail: `${times}, as with another base. A new base is a new series, not a revision.`,
    }
  return Math.abs(Math.log(ratio)) > Math.log(LARGEST_SHIFT) ? { reason: 'held_scale', detail: `${times}.` } : undefined
}

/** Whether the changes go back and forth as the figures themselves do, as those of another series would. */
function faultOfShape(range: FigureRange, revisions: readonly Revision[], changed: number): RevisionFault | undefined {
  if (revisions.length < FEWEST.series) return undefined
  const apart = ({ from, to }: Revision): number => (isLevel(range) ? Math.log(to / from) : to - from)
  const pairs = revisions.slice(1).flatMap((revision, i) => {
    const before = revisions[i]
    return before ? [{ before, revision }] : []
  })
  const swing = median(pairs.map(({ before, revision }) => Math.abs(apart(revision) - apart(before))))
  const step = median(pairs.map(({ before, revision }) => distance(range, before.from, revision.from)))
  if (!(swing > step / 2)) return undefined
  return {
    reason: 'held_series',
    detail: `${changed} of ${revisions.length} figures differ from those on record and do not move with them, as figures of another series.`,
  }
}

const mostOf = (values: readonly number[], holds: (value: number) => boolean): boolean =>
  values.filter(holds).length >= 0.9 * values.length
