import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { textOf, untilIn } from '../support/console-tab.ts'
import { DESK, NARROW } from '../support/page-faults.ts'

/** What the view that compares figures shows, in the tab of a person who has given a key. */
type Compared = { readonly tab: Tab; readonly base: string; readonly key: string }

/** Holds that three countries can be found by words and keys alone, and that link, CSV and panel have what the plot shows. */
export async function expectSameOnEveryWayOut({
  tab,
  base,
  key,
  other: openAnother,
}: Compared & { readonly other: () => Promise<Tab> }): Promise<void> {
  const until = <T>(expression: string, own = tab) => untilIn<T>(own, expression)
  await tab.open(`${base}/?view=indicators&country=USA&indicator=unemployment`)
  await until(`document.querySelector('#figure-search') !== null`)
  await tab.evaluate(`document.querySelector('#figure-search').focus()`)
  const offers = `[...document.querySelectorAll('#figure-offers li')].map(({ textContent }) => textContent).join()`
  const add = async (words: string, offered: string) => {
    await until(`document.activeElement?.id === 'figure-search'`)
    await tab.type(words)
    await until(`${offers}.startsWith('${offered}')`)
    await tab.press('Enter')
  }
  await add('jobless rate of Germany', 'Germany: Unemployment rate')
  await until(`location.search === '?view=compare&series=USA.unemployment,DEU.unemployment'`)
  await add('japan', 'Japan: Unemployment rate')
  await until(`location.search.endsWith('DEU.unemployment,JPN.unemployment')`)
  await until(`document.querySelector('#vintage') !== null`)
  await tab.evaluate(`document.querySelector('.plot-cursor').focus()`)
  await tab.press('Home')
  const said = `document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`
  expect(await tab.evaluate(said)).toMatch(/^Jan 2000 {3}USA\u00a04\.0\u00a0% {3}DEU\u00a0\d/)

  // The same in a fresh browser.
  const link = await tab.evaluate<string>('location.href')
  const other = await openAnother()
  await other.open(link)
  await until(`document.querySelectorAll('.compared li').length === 3`, other)

  await tab.evaluate(`document.querySelector('.data summary').click()`)
  await until(`document.querySelectorAll('.data tbody tr').length > 100`)
  const table = await tab.evaluate<string[][]>(
    `[...document.querySelectorAll('.data tr')].map((row) => [...row.children].map(({ textContent }) => textContent))`,
  )
  for (const name of ['CSV', 'SVG', 'PNG']) {
    await tab.evaluate(
      `[...document.querySelectorAll('.files button')].find(({ textContent }) => textContent === '${name}').click()`,
    )
  }
  const files = await until<{ type: string; text: string }[]>('saved.length === 3 && saved')
  expect(files.map(({ type }) => type)).toEqual(['text/csv', 'image/svg+xml', 'image/png'])
  const [header = [], ...rows] = (files[0]?.text ?? '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(header.slice(1)).toEqual(['USA.unemployment', 'DEU.unemployment', 'JPN.unemployment'])
  expect(table.map((cells) => cells.slice(1).map((cell) => cell.replace('no figure', '')))).toEqual([
    header.slice(1),
    ...rows.map((cells) => cells.slice(1)),
  ])
  expect(files[1]?.text).toContain('Source: Eurostat (')
  // The command beside it gets these figures from the service.
  const panel = new URL(
    '/v1/panel?country=USA&country=DEU&country=JPN&indicator=unemployment&frequency=M&format=csv',
    base,
  )
  const csv = await fetch(panel, { headers: { authorization: `Bearer ${key}` } })
  expect(files[0]?.text).toBe(await csv.text())
}

/** Holds that the plot can show any day and changes, and says which figures it leaves out. */
export async function expectDaysAndChanges({ tab, base, key }: Compared): Promise<void> {
  const until = <T>(expression: string) => untilIn<T>(tab, expression)
  const text = (selector: string) => textOf(tab, selector)
  const address = '/?view=compare&series=USA.gdp,USA.unemployment&units=pc1'
  await tab.open(base + address)
  await until(`document.querySelector('#vintage') !== null`)
  await tab.evaluate(`(() => {
    const slider = document.querySelector('#vintage')
    slider.valueAsNumber = Math.round(slider.max / 2)
    slider.dispatchEvent(new Event('input'))
  })()`)
  await until(`/as_of=/.test(location.search)`)
  const day = await tab.evaluate<string>(`new URLSearchParams(location.search).get('as_of')`)
  await until(`document.querySelector('.comparison .legend').textContent.startsWith('As known on ')`)
  await tab.evaluate(`document.querySelector('.data').open = true`)
  const rows = await until<string[]>(`(() => {
    const rows = [...document.querySelectorAll('.data tbody tr')].map(({ textContent }) => textContent)
    return rows.length > 10 && rows
  })()`)
  const query = `country=USA&indicator=gdp&frequency=Q&units=pc1&as_of=${day}&format=csv`
  const panel = await fetch(`${base}/v1/panel?${query}`, { headers: { authorization: `Bearer ${key}` } })
  const [period = '', value = ''] = (await panel.text()).trimEnd().split('\r\n').at(-1)?.split(',') ?? []
  const [year, quarter] = period.split('-')
  expect(rows).toContain(`${quarter} ${year}${value.replace('-', '−')}`)

  // Another range keeps the day.
  await tab.evaluate(`document.querySelector('[aria-label="Range"] button:nth-child(3)').click()`)
  await until(`/start=/.test(location.search) && /as_of=${day}/.test(location.search)`)

  const units = `document.querySelector('.axis-units')`
  await tab.open(`${base}/?view=compare&series=USA.gdp,USA.unemployment,DEU.gdp`)
  await until(`${units} !== null`)
  expect(await text('.axis-units')).toContain('USD, at the rate for a year')
  expect(await text('.compared li:nth-child(3) output')).toContain('not drawn: it is in EUR')
  const strokes = `[...document.querySelectorAll('.compared .stroke')].map(({ className }) => className)`
  expect(await tab.evaluate(strokes)).toEqual(['stroke line-1', 'stroke line-2', 'stroke none'])
  await tab.open(`${base}/?view=compare&series=USA.gdp&as_of=2024-05-15`)
  expect(await text('.vintage output')).toBe('25 Apr 2024, the newest then')
  expect(await text('.readout')).toMatch(/^Q1 2024 {3}USA\u00a028\.28 trillion/)
  await tab.open(`${base}/?view=compare&series=USA.cpi&units=index&base=1950`)
  expect(await text('.comparison .lead')).toBe('Nothing of it can be drawn.')
  expect(await text('.comparison .legend')).toBe('As known now. ')
  await tab.open(`${base}/?view=compare&series=USA.gdp,DEU.gdp&units=index`)
  await until(`location.search.endsWith('units=index&base=2000-Q1')`)
  expect(await text('.plot-title')).toContain('index, Q1 2000 = 100')

  await tab.view({ width: NARROW })
  const wrapped = `[...document.querySelectorAll('.field span')]
    .filter((label) => label.offsetHeight > 1.5 * parseFloat(getComputedStyle(label).lineHeight))
    .map(({ textContent }) => textContent)`
  expect(await tab.evaluate(wrapped)).toEqual([])
  await tab.view({ width: DESK })
}
