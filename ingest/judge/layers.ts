import type { Value } from '../../domain/plausibility/view.ts'

/**
 * A document may state several values of one period or time. The first ones are judged together, then the second ones beside
 * those that are not held, and so on. Returns the first ones, the second ones …, each in the order given.
 */
export function layersOf<T>(statements: readonly T[], atOf: (statement: T) => string): (readonly T[])[] {
  if (new Set(statements.map(atOf)).size === statements.length) return [statements]
  const layers: T[][] = []
  const counts = new Map<string, number>()
  for (const statement of statements) {
    const at = atOf(statement)
    const count = counts.get(at) ?? 0
    counts.set(at, count + 1)
    const layer = layers[count]
    if (layer) layer.push(statement)
    else layers.push([statement])
  }
  return layers
}

/** Sorts by period or time unless that is the order already, as it is in nearly every document. */
export const inOrder = <T extends Value>(values: readonly T[]): readonly T[] =>
  values.every(({ at }, i) => i === 0 || (values[i - 1]?.at ?? '') <= at)
    ? values
    : values.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
