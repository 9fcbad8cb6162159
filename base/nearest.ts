/** A code and the English name of what it stands for. */
export type Named = {
  readonly code: string
  readonly name: string
  /** Other names and codes of the same thing. */
  readonly others?: readonly string[]
}

/**
 * The entry that a mistyped code most likely meant; undefined if none resembles it. It looks for these, in this order,
 * in any letter case:
 * - the entry with that code or name;
 * - the only entry with a word that is the text or begins with it;
 * - a code with at most one typing error for every three characters.
 *
 * Among codes equally near, one with the same beginning comes first, then the first entry. If several names begin with
 * the text, nothing is suggested.
 */
export function nearest<Entry extends Named>(text: string, entries: readonly Entry[]): Entry | undefined {
  const typed = text.toUpperCase()
  if (typed === '') return undefined
  const exact = entries.find((entry) => [entry.code, ...namesOf(entry)].some((known) => known.toUpperCase() === typed))
  if (exact) return exact
  for (const fits of [(word: string) => word === typed, (word: string) => word.startsWith(typed)]) {
    const named = entries.filter((entry) => wordsOf(entry).some(fits))
    if (new Set(named.map(({ code }) => code)).size > 1) return undefined
    if (named[0]) return named[0]
  }
  const most = Math.max(1, Math.floor(typed.length / 3))
  const [closest] = entries
    .filter(({ code }) => isLikelyError(typed, code.toUpperCase()))
    .map((entry) => ({ entry, distance: editDistance(typed, entry.code.toUpperCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || beginsAlike(typed, b.entry.code) - beginsAlike(typed, a.entry.code))
  return closest?.entry
}

const namesOf = ({ name, others = [] }: Named): string[] => [name, ...others]
const wordsOf = (entry: Named): string[] =>
  namesOf(entry).flatMap((name) => name.toUpperCase().split(/[^\p{L}\p{N}]+/u))

/** Longest code in which one wrong letter easily makes another valid code. */
const SHORT = 3
/** Whether a code may be a mistyped text. For a short text, the first letter must be right. */
const isLikelyError = (typed: string, code: string): boolean => typed.length > SHORT || typed[0] === code[0]

/** Number of letters at the start that two codes have in common. */
function beginsAlike(typed: string, code: string): number {
  const differs = [...code.toUpperCase()].findIndex((letter, at) => letter !== typed[at])
  return differs < 0 ? code.length : differs
}

/** The nearest text to a mistyped one, for codes without names, such as options and commands. */
export const nearestText = (text: string, candidates: readonly string[]): string | undefined =>
  nearest(
    text,
    candidates.map((code) => ({ code, name: '' })),
  )?.code

/**
 * Number of typing errors between two texts (optimal string alignment). An error is an insertion, a deletion, a
 * replacement or a swap of neighbours.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    // Casts, because every index below lies within its row.
    for (let column = 1; column <= b.length; column++) {
      const replaced = (last[column - 1] as number) + Number(a[row - 1] !== b[column - 1])
      const least = Math.min(replaced, (last[column] as number) + 1, (current[column - 1] as number) + 1)
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(isSwap ? Math.min(least, (beforeLast[column - 2] as number) + 1) : least)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] as number
}
