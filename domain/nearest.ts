/** A code and the English name of what it stands for. */
export type Named = { readonly code: string; readonly name: string }

/**
 * The entry that a mistyped code most likely meant; undefined if none resembles it. It looks for these, in this order:
 * - the same code in another letter case;
 * - a name with a word that begins with the text;
 * - a code with at most one typing error for every three characters.
 *
 * Among equals the first entry wins.
 */
export function nearest<Entry extends Named>(text: string, entries: readonly Entry[]): Entry | undefined {
  const typed = text.toUpperCase()
  if (typed === '') return undefined
  const sameCode = entries.find(({ code }) => code.toUpperCase() === typed)
  if (sameCode) return sameCode
  const byName = entries.find(({ name }) =>
    name
      .toUpperCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(typed)),
  )
  if (byName) return byName
  const most = Math.max(1, Math.floor(typed.length / 3))
  const [closest] = entries
    .map((entry) => ({ entry, distance: editDistance(typed, entry.code.toUpperCase()) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return closest?.entry
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
