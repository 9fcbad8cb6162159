/** A code with the English name of what it stands for. */
export type Named = {
  readonly code: string
  readonly name: string
  /** Other names and codes of the same thing. */
  readonly others?: readonly string[]
}

/**
 * The entry that a mistyped code was most likely meant to be, or undefined if none resembles it. In this order, whatever the
 * letter case: the entry of that very code or name; the only one with a word that is the text, or begins with it; the code at
 * most one typing error away for every three characters. Among codes equally near, one that begins alike goes before others,
 * then the first. A text that several names begin with means none of them more than another: nothing is suggested.
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

/** Length up to which one wrong letter makes another code of a list just as well. */
const SHORT = 3
/** The first letter of a short code is the one that is known. */
const isLikelyError = (typed: string, code: string): boolean => typed.length > SHORT || typed[0] === code[0]

/** Letters that two codes begin with alike. */
function beginsAlike(typed: string, code: string): number {
  const differs = [...code.toUpperCase()].findIndex((letter, at) => letter !== typed[at])
  return differs < 0 ? code.length : differs
}

/** Codes without names of their own, such as option or command names. */
export const nearestText = (text: string, candidates: readonly string[]): string | undefined =>
  nearest(
    text,
    candidates.map((code) => ({ code, name: '' })),
  )?.code

/**
 * Typing errors between two texts: insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
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
