/** What a model has to read: all tools before its first question, and the answer to each. The bounds are in bytes. */
import { describe, expect, it } from 'vitest'
import { examples } from '../../api/examples.ts'
import { descriptionOf } from '../../api/mcp-description.ts'
import { tools } from '../../api/mcp-tools.ts'
import { countries } from '../../contracts/countries.ts'

const DEFINITIONS = 60_000
const ANSWER = 30_000

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
/** All countries have figures, so that the lists of countries are as long as they become. */
const described = tools.map((tool) => descriptionOf(tool, { countries: () => countries.map(({ alpha3 }) => alpha3) }))

/** The list in the bodies of the tool's examples, one of each indicator if it serves several; undefined if it has none. */
const listOf = (name: string): [string, readonly object[]] | undefined => {
  const { example, indicators, answeredBy } = tools.find((tool) => tool.name === name) ?? expect.fail(name)
  const ids =
    indicators.length > 1
      ? indicators.map((indicator) => answeredBy({ indicator }).operation.id)
      : [example.operationId]
  const lists = ids.flatMap((id) =>
    Object.entries(examples[id]?.body ?? {}).filter((entry): entry is [string, object[]] => Array.isArray(entry[1])),
  )
  return lists[0] && [lists[0][0], lists.flatMap(([, entries]) => entries)]
}
/** An entry as wide as it can be for what it names: that of a revision, if it can be one. */
const widened = (entry: object): object => ('revises' in entry ? { ...entry, revises: `rel_${'0'.repeat(26)}` } : entry)
const paged = described.filter(({ inputSchema }) => 'limit' in (inputSchema.properties as object))

describe('a model reads', () => {
  it(`at most ${DEFINITIONS} bytes of definitions`, () => {
    expect(bytes({ tools: described })).toBeLessThan(DEFINITIONS)
  })

  it.each(paged.map((tool) => [tool.name, tool] as const))(
    `at most ${ANSWER} bytes of %s, unless it asks for more`,
    (name, { inputSchema, outputSchema }) => {
      const { limit } = inputSchema.properties as { readonly limit: { readonly default: number } }
      const [member, entries] = listOf(name) ?? expect.fail(`the example of ${name} has no list`)
      const widest = entries.map(widened).toSorted((a, b) => bytes(b) - bytes(a))[0]
      const page = { [member]: Array(limit.default).fill(widest) }
      const result = {
        content: [{ type: 'text', text: JSON.stringify(page) }],
        ...(outputSchema ? { structuredContent: page } : {}),
      }
      expect(bytes(result)).toBeLessThan(ANSWER)
    },
  )

  it('no list as a whole that grows with the countries, the figures or the prices', () => {
    const whole = described.filter((tool) => !paged.includes(tool) && listOf(tool.name)).map(({ name }) => name)
    // An indicator, an instrument, a plan, a currency and an input of a figure are a matter of this program, not of its data.
    // The pairs and the range of their candles are the model's own.
    expect(whole).toEqual([
      'fx_get_rates',
      'prices_list_candles_of_pairs',
      'catalog_indicators',
      'catalog_instruments',
      'catalog_plans',
      'releases_get',
      'claims_verify',
    ])
  })
})
