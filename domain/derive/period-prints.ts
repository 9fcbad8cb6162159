import type { Release } from '../../contracts/records.ts'
import { asKnown, type KnownRelease, printsOf, type RecordedPrint } from '../prints.ts'

/**
 * A print as values without names: id, figures, day, basis, the id that it revises, or true for that of the print before, and
 * unless they are left out, the time of its record and its approval.
 */
type PackedPrint = readonly [
  string,
  RecordedPrint['figures'],
  string,
  RecordedPrint['released_on_basis'],
  string | true | null,
  recordedAt?: string,
  approval?: RecordedPrint['approval'],
]

/** What no derivation needs of a print, and what stands for it. */
const NOT_NEEDED = { recorded_at: '', approval: null } as const

/**
 * The prints of a series by period. Those that were in a checkpoint are texts until they are asked for again: most are of figures
 * that never change again, and as objects they would take four times the memory.
 */
export class PeriodPrints {
  readonly #known = new Map<string, KnownRelease>()
  readonly #packed: Map<string, string>

  /** @param packed what `pack` of other prints has given */
  constructor(packed: ReadonlyMap<string, string> = new Map()) {
    this.#packed = new Map(packed)
  }

  get(period: string): KnownRelease | undefined {
    const text = this.#packed.get(period)
    if (text === undefined) return this.#known.get(period)
    const known = unpacked(text)
    this.#packed.delete(period)
    this.#known.set(period, known)
    return known
  }

  has(period: string): boolean {
    return this.#packed.has(period) || this.#known.has(period)
  }

  periods(): string[] {
    return [...this.#packed.keys(), ...this.#known.keys()]
  }

  /** Adds a release to other prints of its period, and puts them in place of those on record. */
  add(release: Release, others: KnownRelease | undefined): void {
    this.set(release.period, asKnown({ ...release, ...NOT_NEEDED }, others))
  }

  set(period: string, known: KnownRelease | undefined): void {
    this.#packed.delete(period)
    if (known) this.#known.set(period, known)
    else this.#known.delete(period)
  }

  /** Makes one text of the prints of each period, and returns them. The map changes with these prints. */
  pack(): ReadonlyMap<string, string> {
    for (const [period, known] of this.#known) this.#packed.set(period, textOf(known))
    this.#known.clear()
    return this.#packed
  }
}

function textOf(known: KnownRelease): string {
  let before: string | undefined
  const prints = printsOf(known).map(
    ({ release_id, figures, released_on, released_on_basis, revises, recorded_at, approval }): PackedPrint => {
      const revised = revises === before ? true : revises
      before = release_id
      const packed = [release_id, figures, released_on, released_on_basis, revised] as const
      if (approval !== null) return [...packed, recorded_at, approval]
      return recorded_at === '' ? packed : [...packed, recorded_at]
    },
  )
  return JSON.stringify(prints)
}

function unpacked(text: string): KnownRelease {
  let before: string | null = null
  // Casts, because `textOf` has written it, of at least one print.
  const prints = (JSON.parse(text) as PackedPrint[]).map(
    ([
      release_id,
      figures,
      released_on,
      released_on_basis,
      revised,
      recorded_at = '',
      approval = null,
    ]): RecordedPrint => {
      const revises = revised === true ? before : revised
      before = release_id
      return { release_id, revises, figures, released_on, released_on_basis, recorded_at, approval }
    },
  )
  const newest = prints.pop() as RecordedPrint
  return prints.length === 0 ? newest : { ...newest, earlier: prints }
}
