import { beforeAll, describe, expect, it } from 'vitest'
import { descriptionOf, type ToolDescription } from '../../api/mcp-description.ts'
import { tools as made } from '../../api/mcp-tools.ts'
import { eventFamilies, eventTypes } from '../../contracts/events.ts'
import { exportsCountries } from '../../contracts/indicators.ts'
import { commodities, currencies } from '../../contracts/instruments.ts'
import { bearer, type World, world } from './support.ts'

/**
 * Questions that people ask an assistant, with the call that answers each. `needs`: what the assistant can't know and has
 * to read in the description of that one tool, so that it neither guesses a code nor takes a tool beside the right one.
 */
type Question = {
  readonly question: string
  readonly tool: string
  readonly given: Readonly<Record<string, unknown>>
  readonly needs: readonly string[]
  /** What must stand in the answer, where the call alone doesn't show it. */
  readonly answers?: object
  /** Code of the failure, where the world of the tests lacks what is asked for. */
  readonly fails?: string
}

const questions: readonly Question[] = [
  {
    question: 'How high is inflation in the United States?',
    tool: 'economics_get_inflation',
    given: { country: 'USA' },
    needs: ['How fast consumer prices rise', 'alpha-3', 'USA (United States)', 'Left out: the latest'],
  },
  {
    question: 'What was the US consumer price index in October 2025?',
    tool: 'economics_get_cpi',
    given: { country: 'USA', period: '2025-10' },
    needs: ['index number', 'base_period', 'Month, e.g. 2026-09', 'economics_get_inflation'],
  },
  {
    question: 'Did the US economy grow in the third quarter of 2025?',
    tool: 'economics_get_gdp_growth',
    given: { country: 'USA', period: '2025-Q3' },
    needs: ['How fast the economy grows', 'Quarter, e.g. 2026-Q3', 'since the same quarter a year before'],
  },
  {
    question: 'How large is the US economy in dollars?',
    tool: 'economics_get_gdp',
    given: { country: 'USA' },
    needs: ['size of the economy', 'whole units of `currency`', 'annualization', 'economics_get_gdp_growth'],
  },
  {
    question: 'How many people are out of work in the United States?',
    tool: 'economics_get_unemployment',
    given: { country: 'USA' },
    needs: ['Unemployed', 'percent of the labour force', 'Year, month or quarter'],
  },
  {
    question: 'How did US exports move through 2025?',
    tool: 'economics_get_trade_exports_history',
    given: { country: 'USA', start: '2025', end: '2025-12' },
    needs: [
      ...exportsCountries,
      'oldest first',
      'next_cursor',
      'a year means its January',
      'Maximum number of entries on the page',
    ],
  },
  {
    question: 'How did US unemployment move since October 2025, as far as was known in March 2026?',
    tool: 'economics_list_observations',
    given: { indicator: 'unemployment', country: 'USA', start: '2025-10', as_of: '2026-03-31' },
    answers: { observations: [{ period: '2025-10', value: '4.6' }, { period: '2025-11' }] },
    needs: [
      'as they were known on this day',
      'oldest first',
      'M: months, Q: quarters, A: years',
      'USA',
      '`transformation`',
    ],
  },
  {
    question: 'How often was the US consumer price index of October 2025 revised?',
    tool: 'economics_list_vintages',
    given: { indicator: 'cpi', country: 'USA', period: '2025-10' },
    answers: { vintages: [{ period: '2025-10', revises: null }] },
    needs: ['First prints and revisions', 'oldest first', 'without start, end and frequency', '`revises`'],
  },
  {
    question: 'What does an ounce of gold cost in euro?',
    tool: 'commodities_get_spot',
    given: { commodity: 'XAU', currency: 'EUR' },
    needs: [...Object.entries(commodities).map(([code, { name }]) => `${code} (${name})`), '`unit`', 'EUR'],
  },
  {
    question: 'How many yen is a dollar?',
    tool: 'fx_get_rates',
    given: { base: 'USD' },
    answers: { base: 'USD', rates: expect.arrayContaining([expect.objectContaining({ currency: 'JPY' })]) },
    needs: [...currencies, 'units of `currency` for one unit of `base`', 'Past rates are in prices_list_candles'],
  },
  {
    question: 'How did gold in euro move hour by hour since Monday?',
    tool: 'prices_list_candles',
    given: { symbol: 'XAU-EUR', interval: '1h', start: '2026-11-16', limit: 200 },
    needs: [
      ...Object.entries(commodities).map(([code, { name }]) => `${code} (${name})`),
      ...['EUR-JPY', 'h hours', 'oldest first', 'still grows', 'computed from the candles of other pairs'],
    ],
    answers: { symbol: 'XAU-EUR', interval: '1h', derived: true },
  },
  {
    question: 'How did gold in euro and the yen move day by day this week?',
    tool: 'prices_list_candles_of_pairs',
    given: { symbol: ['XAU-EUR', 'EUR-JPY'], start: '2026-11-16' },
    needs: ['several pairs', 'prices_list_candles has', 'Left out: 1d', 'in the order of the answer', '10000 candles'],
    answers: { pairs: [{ symbol: 'XAU-EUR', interval: '1d' }, { symbol: 'EUR-JPY' }] },
  },
  {
    question: 'Which source gave which price of gold last night, and when did it arrive?',
    tool: 'prices_list_ticks',
    given: { symbol: 'XAU-USD', start: '2026-11-20T20:00:00Z', end: '2026-11-21T06:00:00Z' },
    needs: ['as its source gave it', 'Oldest first', 'kept for about two months', 'names the pairs', '`observed_at`'],
  },
  {
    question: 'Which figures of US output were published or revised lately, and what were they before?',
    tool: 'events_list',
    given: { country: ['USA'], family: ['output'], cursor: 'earliest', limit: 5 },
    needs: [
      ...eventFamilies,
      ...eventTypes,
      '`previous`',
      'earliest',
      'latest',
      'the plan free lacks commodities and fx',
    ],
  },
  {
    question: 'Which figures of the United States are there, who publishes them, and how far back do they reach?',
    tool: 'catalog_list',
    given: { country: ['USA'] },
    needs: ['publisher', 'first and last period', 'when the next release is expected', 'costs nothing'],
  },
  {
    question: 'Which countries have unemployment rates?',
    tool: 'catalog_indicators',
    given: {},
    answers: { indicators: expect.arrayContaining([expect.objectContaining({ code: 'unemployment' })]) },
    needs: ['the countries that it is served for'],
  },
  {
    question: 'Is there a jobless rate of Germany here?',
    tool: 'search',
    given: { q: 'jobless rate of Germany' },
    answers: { hits: [{ country: 'DEU', indicator: 'unemployment', is_served: false }, {}, {}] },
    needs: ['do not know the code', 'synonyms', 'countries in words', '`is_served`', '`unknown_words`'],
  },
  {
    question: 'Where does the figure of rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV come from?',
    tool: 'releases_get',
    given: { release_id: 'rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV' },
    fails: 'release_not_found',
    needs: ['the publisher’s document (address, SHA-256', '`inputs`', 'text after a figure', '`release_id`'],
  },
  {
    question: 'How many calls do I have left this month?',
    tool: 'account_get_usage',
    given: {},
    needs: ['left in the current calendar month', 'costs nothing'],
  },
]

let served: World
let tools: ReadonlyMap<string, ToolDescription>
beforeAll(async () => {
  served = await world()
  tools = new Map((await listed()).map((tool) => [tool.name, tool]))
})

async function ask(method: string, params: object): Promise<unknown> {
  const answer = await served.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...bearer(), 'mcp-protocol-version': '2025-06-18' },
    payload: { jsonrpc: '2.0', id: 1, method, params },
  })
  return answer.json<{ result: unknown }>().result
}
const listed = async () => ((await ask('tools/list', {})) as { tools: ToolDescription[] }).tools
const textOf = ({ description, inputSchema }: ToolDescription): string =>
  `${description}\n${JSON.stringify(inputSchema.properties)}`

/** Values of arguments that their enum doesn't allow, and arguments that there aren't: what a client would refuse to send. */
function misfits({ inputSchema }: ToolDescription, given: Readonly<Record<string, unknown>>): string[] {
  const properties = inputSchema.properties as Record<string, { enum?: unknown[]; items?: { enum?: unknown[] } }>
  const required = inputSchema.required as string[]
  return [
    ...required.filter((name) => !(name in given)),
    ...Object.entries(given).flatMap(([name, value]) => {
      const property = properties[name]
      if (!property) return [name]
      const allowed = property.enum ?? property.items?.enum
      return allowed && [value].flat().some((each) => !allowed.includes(each)) ? [`${name}=${value}`] : []
    }),
  ]
}

describe('a model that reads the descriptions of the tools', () => {
  it.each(questions)('can answer: $question', async ({ tool: name, given, needs, answers = {}, fails }) => {
    const tool = tools.get(name)
    if (!tool) return expect.fail(`there is no tool ${name}`)
    for (const needed of needs) expect(textOf(tool), needed).toContain(needed)
    expect(misfits(tool, given)).toEqual([])
    const result = (await ask('tools/call', { name, arguments: given })) as {
      readonly isError?: boolean
      readonly content: readonly [{ readonly text: string }]
    }
    if (fails) return expect(JSON.stringify(result.content)).toContain(fails)
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined()
    expect(JSON.parse(result.content[0].text)).toMatchObject(answers)
  })

  it('reads what each is for in a few sentences, an example that fits, and a sentence on every argument', () => {
    expect(tools.size).toBe(made.length)
    for (const [name, { description, inputSchema }] of tools) {
      expect(description.split(/[.:] /).length, description).toBeGreaterThan(1)
      expect(description.length, description).toBeLessThan(500)
      const [shown] = inputSchema.examples as [Record<string, unknown>]
      expect(misfits(tools.get(name) as ToolDescription, shown), name).toEqual([])
      expect('period' in shown, name).toBe('period' in (inputSchema.properties as object))
      for (const [argument, schema] of Object.entries(
        inputSchema.properties as Record<string, { description?: string }>,
      ))
        expect(schema.description, `${name} ${argument}`).toMatch(/\w{3,}/)
    }
  })

  it('is sent to no tool that there is not', () => {
    const named = [...tools.values()].flatMap(({ description }) => description.match(/\b[a-z]+_(?:get|list)\w*/g) ?? [])
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((name) => !tools.has(name))).toEqual([])
  })

  it('reads which countries have figures now, and only where that is open', () => {
    const countries = (id: string, withFigures = ['DEU', 'JPN']) => {
      const tool = descriptionOf(made.find(({ name }) => name === id) ?? expect.fail(id), {
        countries: () => withFigures,
      })
      return (tool.inputSchema.properties as Record<string, { description: string; enum?: string[] }>).country
    }
    expect(countries('economics_get_cpi')?.description).toContain('Published for: DEU, JPN')
    expect(countries('economics_get_cpi')).not.toHaveProperty('enum')
    expect(countries('economics_get_cpi', [])?.description).toMatch(
      /, e\.g\. USA \(United States\)\. No country has figures yet$/,
    )
    for (const id of ['economics_get_trade', 'economics_get_trade_exports', 'economics_get_trade_exports_history'])
      expect(countries(id)?.enum).toEqual([...exportsCountries])
    for (const id of ['economics_get_trade_imports', 'economics_list_observations'])
      expect(countries(id)).not.toHaveProperty('enum')
  })
})
