import { median } from '../median.ts'
import { exceedsCalm, isLongStep } from './step-length.ts'
import {
  distance,
  firstOf,
  indexFrom,
  inOrder,
  isLevel,
  type SeriesView,
  type Value,
  type ValueKind,
  type Verdict,
} from './view.ts'

/**
 * First values whose median is compared with the first one, if nothing is on record. Not measured: with five, two wrong ones do not
 * decide. Of an even number, the last is left out.
 */
const FIRST_VALUES = 5

/** A value in its place among all. `known`: what is on record in the place of a stated one. */
type Placed = Value & { readonly isStated: boolean; readonly known: number | undefined }

/**
 * Long step: values that are far from those around them, such as exports of 5,100 after months of 4 to 6 million. Two values are
 * far from each other if the step between them is long (`step-length.ts`), and near otherwise. Zeros of a level are left out:
 * `stated-zero.ts` has judged them.
 *
 * First all values are looked at beside their neighbours and what they replace. If no stated one is further from these than
 * `exceedsCalm` allows, all are accepted, as in nearly every document.
 *
 * Otherwise values are judged one after the other: from the first one on record on to the newest, and then from that first one
 * back to the oldest. If nothing is on record, from the oldest on, which is compared with the median of the first five. What is
 * on record is accepted. A stated value is accepted if one of these is true, and held if none is:
 * 1. It corrects a value on record, and is near that.
 * 2. It is near the value that was accepted last. If values have been held since, it must also be no nearer to the last of these
 *    than to the accepted one: so all values at a wrong level are held, not only the first one.
 * 3. It is new, or the oldest of all, and the next later value is on record, not corrected, and near it.
 *
 * An index may begin in a hyperinflation. Its first two values are then judged as near all others, unless they correct one on record.
 */
export function longStep({ kind, news, record, revised }: SeriesView): Verdict | undefined {
  if (!mayHaveLongStep(kind, news, record)) return undefined
  const counts = ({ value }: Value) => value !== 0 || !isLevel(kind)
  const series = inPlace({ news, record, revised }).filter(counts)
  const first = record.find(counts)
  const places = [...series.keys()]
  const start = indexFrom(series, first?.at ?? '')
  const from = first ?? typicalOf(series)
  const [earlier, later] = [places.slice(0, start).reverse(), places.slice(start)]
  const held = [...heldFrom(kind, series, later, from), ...heldFrom(kind, series, earlier, from)]
  if (held.length === 0) return undefined
  held.sort((a, b) => (a.value.at < b.value.at ? -1 : 1))
  const texts = held.map(({ value: { at, value, known }, from }) => {
    if (known !== undefined) return `${at} is ${value}, and ${known} on record`
    if ('isMedian' in from) return `${at} is ${value}, and the median of the first values is ${from.value}`
    return `${at} is ${value}, ${at < from.at ? 'before' : 'after'} ${from.value} (${from.at})`
  })
  return {
    reason: 'held_jump',
    detail: `${firstOf(texts, '; ')}. The usual change from one value to the next is much smaller.`,
    periods: held.map(({ value }) => value.at),
  }
}

/** Whether a stated value is further from the one before it, or from one on record beside it, than values are in calm times. */
function mayHaveLongStep(kind: ValueKind, news: readonly Value[], record: readonly Value[]): boolean {
  let next = Math.max(0, indexFrom(record, news[0]?.at ?? '') - 1)
  let previous: Value | undefined
  for (const one of news) {
    for (let known = record[next]; known && known.at <= one.at; known = record[++next]) {
      if (known.at < one.at) previous = known
      else if (exceedsCalm(kind, known.value, one.value)) return true
    }
    const following = record[next]
    if (previous && exceedsCalm(kind, previous.value, one.value)) return true
    if (following && exceedsCalm(kind, one.value, following.value)) return true
    previous = one
  }
  return false
}

/** All values in order of time, the stated ones in the place of those on record. */
function inPlace({ news, record, revised }: Pick<SeriesView, 'news' | 'record' | 'revised'>): readonly Placed[] {
  const replaced = new Map(revised.map(({ at, from }) => [at, from]))
  const kept = record
    .filter(({ at }) => !replaced.has(at))
    .map((one) => ({ ...one, isStated: false, known: undefined }))
  const stated = news.map((one) => ({ ...one, isStated: true, known: replaced.get(one.at) }))
  return inOrder([...kept, ...stated])
}

/** The median of the first values, in the place of the last of them. */
type Typical = Value & { readonly isMedian: true }
/** A held value, and the one that was accepted before it; the typical one if there is none. */
type Held = { readonly value: Placed; readonly from: Value | Typical }

function typicalOf(series: readonly Placed[]): Typical {
  const firsts = series.slice(0, FIRST_VALUES)
  const odd = firsts.slice(0, firsts.length - ((firsts.length + 1) % 2))
  return { at: odd.at(-1)?.at ?? '', value: median(odd.map(({ value }) => value)), isMedian: true }
}

/** Judges the values at `places`, one after the other, the first one beside `first`. */
function heldFrom(kind: ValueKind, series: readonly Placed[], places: readonly number[], first: Value): Held[] {
  const held: Held[] = []
  const walk = { kind, series, beginsHigh: kind === 'index' && beginsInHyperinflation(series) }
  let accepted = first
  let lastHeld: Value | undefined
  for (const i of places) {
    const value = series[i]
    if (!value) continue
    if (isAccepted(walk, value, i, accepted, lastHeld)) {
      accepted = value
      lastHeld = undefined
    } else {
      held.push({ value, from: accepted })
      lastHeld = value
    }
  }
  return held
}

type Walk = { readonly kind: ValueKind; readonly series: readonly Placed[]; readonly beginsHigh: boolean }

/** Whether value `i` is accepted. `lastHeld`: the value judged before it, if that is held. The numbers are those of the rules. */
function isAccepted(
  { kind, series, beginsHigh }: Walk,
  value: Placed,
  i: number,
  accepted: Value,
  lastHeld: Value | undefined,
): boolean {
  const { isStated, known } = value
  if (!isStated) return true
  const isNear = (other: Value): boolean => {
    const isOfBeginning = beginsHigh && i <= 1 && known === undefined
    return isOfBeginning || !isLongStep(kind, series, i, other)
  }
  if (known !== undefined && isNear({ at: value.at, value: known })) return true // 1
  const stepFrom = (other: Value) => distance(kind, other.value, value.value)
  const isNearerToHeld = lastHeld && stepFrom(lastHeld) < stepFrom(accepted)
  if (!isNearerToHeld && isNear(accepted)) return true // 2
  const next = series[i + 1]
  const isNewOrOldest = known === undefined || i === 0
  return isNewOrOldest && next?.isStated === false && isNear(next) // 3
}

/** How near a factor is to 10, 100, 1000 …, if it shows another unit: the usual change comes on top of it. */
const POWER_TOLERANCE = 0.25
/** After a hyperinflation prices do not fall below this share of what they had risen to. */
const KEPT = 1 / 1.5

/**
 * Whether an index begins in a hyperinflation: it rises by any factor from its first value to its second. In January 1994, the
 * second month of Serbia's index, prices rose 2.4 million times. A factor of about 10, 100, 1000 … is another unit, one of about
 * 1 is no such rise, and a level that later values do not keep is a wrong value.
 */
function beginsInHyperinflation([first, second, ...later]: readonly Value[]): boolean {
  if (!first || !second || second.value <= first.value) return false
  const factor = second.value / first.value
  const power = 10 ** Math.round(Math.log10(factor))
  if (Math.abs(factor / power - 1) < POWER_TOLERANCE) return false
  return later.every(({ value }) => value >= KEPT * second.value)
}
