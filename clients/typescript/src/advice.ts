/** A sentence with the name that was probably meant by a mistyped one, or else with those that there are. */
export function adviceFor(typed: string, names: readonly string[]): string {
  const [best] = names.map((name) => ({ name, edits: editsBetween(typed, name) })).sort((a, b) => a.edits - b.edits)
  const isNear = best && best.edits <= Math.max(1, typed.length / 3)
  return isNear ? `Did you mean "${best.name}"?` : `Known: ${names.join(', ')}.`
}

/** Levenshtein distance: letters to insert, delete or replace. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
