/** Says how two maps differ: how many keys, and the first of them. Empty if they hold the same. */
export function firstDifference(
  what: string,
  expected: ReadonlyMap<string, unknown>,
  found: ReadonlyMap<string, unknown>,
): string[] {
  const differing = [...new Set([...expected.keys(), ...found.keys()])].filter(
    (key) => textOf(expected.get(key)) !== textOf(found.get(key)),
  )
  const [first] = differing
  if (first === undefined) return []
  const [wanted, got] = [textOf(expected.get(first)), textOf(found.get(first))]
  return [`${what}: ${differing.length} differ, first ${first}: expected ${wanted}, found ${got}`]
}

/** As `firstDifference`, of two lists, place by place. */
export const firstDifferenceInList = (
  what: string,
  expected: readonly unknown[],
  found: readonly unknown[],
): string[] => firstDifference(what, byPlace(expected), byPlace(found))

const byPlace = (list: readonly unknown[]): Map<string, unknown> =>
  new Map(list.map((item, place) => [String(place), item]))

/** Objects with the same members are the same, in whatever order these stand. */
export function textOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
