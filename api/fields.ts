/** Query parameters of the surfaces in other forms, which no schema of an operation checks. */

import { ProblemError } from '../contracts/problems.ts'
import { listText } from '../domain/list-text.ts'
import { hintOfText } from './known-codes.ts'
import { invalidQuery, shown } from './refusals.ts'

/** What messages call a parameter and its value, in the language of the surface. */
type Words = { readonly parameter: string; readonly value: string }

/** Makes the function that makes the problem of a value. */
export const refusalOf =
  ({ value: words }: Words) =>
  (name: string, value: string, advice: string): Error =>
    invalidQuery(`The ${words} ${name} is not valid: ${shown(value)}. ${advice}`)

/** The parameters of a request that were given, each once. */
export class Fields {
  readonly #given: ReadonlyMap<string, string>
  readonly #words: Words

  /**
   * Reads a query. Refuses a parameter that is unknown, not served or given twice. Others ignore a misspelt one, so that
   * their clients get other data than they asked for. Filters `c[…]` of SDMX are known as `c`.
   *
   * @throws ProblemError `invalid_query`, `not_implemented`
   */
  constructor(
    query: Readonly<Record<string, unknown>>,
    {
      known,
      unserved = [],
      words,
    }: { readonly known: readonly string[]; readonly unserved?: readonly string[]; readonly words: Words },
  ) {
    const given = new Map<string, string>()
    for (const [name, value] of Object.entries(query)) {
      if (unserved.includes(name)) {
        throw new ProblemError('not_implemented', `The parameter ${name} is not served. Known: ${known.join(', ')}.`)
      }
      if (!known.includes(name.replace(/^c\[.*\]$/, 'c'))) {
        const hint = hintOfText(name, known)
        throw invalidQuery(`Unknown ${words.parameter} ${shown(name)}.${hint} Known: ${known.join(', ')}.`)
      }
      if (typeof value !== 'string') throw invalidQuery(`The ${words.parameter} ${name} is given twice. Give it once.`)
      given.set(name, value)
    }
    this.#given = given
    this.#words = words
  }

  get(name: string): string | undefined {
    return this.#given.get(name)
  }

  required(name: string): string {
    const value = this.get(name)
    if (value) return value
    throw invalidQuery(`The ${this.#words.parameter} ${name} is not set. Set it.`)
  }

  /** One of several values. */
  chosen<C extends string>(name: string, choices: readonly C[], initial: NoInfer<C>): C {
    const value = this.get(name)
    if (value === undefined) return initial
    const chosen = choices.find((each) => each === value)
    if (chosen !== undefined) return chosen
    throw refusalOf(this.#words)(name, value, `Use ${listText(choices, choices.length)}.`)
  }
}
