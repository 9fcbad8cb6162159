/** Codes or attributes by component. */
export type Codes = Readonly<Record<string, string>>

/**
 * Attributes that a data set attaches to groups of series. A group names some dimensions with their codes; its
 * attributes hold for every observation with these codes. Groups stand before the series.
 */
export class Groups {
  /** By the dimensions of the key, joined: attributes by the codes of the key, joined. */
  readonly #known = new Map<string, { readonly dimensions: readonly string[]; readonly byKey: Map<string, Codes> }>()
  /** Groups whose dimensions are told from their attributes only once the dimensions of a series are known. */
  #mixed: Codes[] = []

  add(key: Codes, attributes: Codes): void {
    const dimensions = Object.keys(key).sort()
    const name = dimensions.join(' ')
    const group = this.#known.get(name) ?? { dimensions, byKey: new Map<string, Codes>() }
    this.#known.set(name, group)
    const codes = codesOf(key, dimensions)
    group.byKey.set(codes, { ...group.byKey.get(codes), ...attributes })
  }

  /** Adds a group of which the message does not say what is a dimension, and what an attribute. */
  addMixed(components: Codes): void {
    this.#mixed.push(components)
  }

  attributesOf(codes: Codes): Codes {
    for (const components of this.#mixed) {
      const isDimension = ([name]: [string, string]) => Object.hasOwn(codes, name)
      const entries = Object.entries(components)
      this.add(
        Object.fromEntries(entries.filter(isDimension)),
        Object.fromEntries(entries.filter((e) => !isDimension(e))),
      )
    }
    this.#mixed = []
    let attributes: Codes | undefined
    for (const { dimensions, byKey } of this.#known.values()) {
      const found = byKey.get(codesOf(codes, dimensions))
      if (found) attributes = { ...attributes, ...found }
    }
    return attributes ?? {}
  }
}

const codesOf = (codes: Codes, dimensions: readonly string[]): string =>
  JSON.stringify(dimensions.map((dimension) => codes[dimension] ?? null))
