const names = 'January February March April May June July August September October November December'.split(' ')

const numberIn = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name, i) => [name, String(i + 1).padStart(2, '0')]))

/** Number of a month, `01` to `12`, by its English name; undefined for any other text. */
export const monthNamed = (name: string): string | undefined => byName.get(name)
const byName = numberIn(names)

/** Number of a month by the first three letters of its English name: `Jan`. */
export const monthAbbreviated = (name: string): string | undefined => byAbbreviation.get(name)
const byAbbreviation = numberIn(names.map((name) => name.slice(0, 3)))
