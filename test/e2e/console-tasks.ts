import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { textOf, untilIn } from '../support/console-tab.ts'

/** Tasks of an analyst, done from the first view on by what a person clicks and types. No address is typed. */

/** Longest time of a task, ms. */
const A_MINUTE = 60_000

type Task = { readonly name: string; run(): Promise<void> }

/** Does the tasks one after the other, each in the state that the one before has left, and returns the times in ms. */
export async function doTasks(tasks: readonly Task[]): Promise<Readonly<Record<string, number>>> {
  const times: Record<string, number> = {}
  for (const { name, run } of tasks) {
    const began = performance.now()
    await run()
    times[name] = Math.round(performance.now() - began)
    expect(times[name], name).toBeLessThan(A_MINUTE)
  }
  return times
}

/** The tab has noted what the page copied last in `copied`, and the files that were saved in `saved`. */
export function tasksOfAnalyst(tab: Tab): readonly Task[] {
  const until = <T>(expression: string) => untilIn<T>(tab, expression)
  const text = (selector: string) => textOf(tab, selector)
  const click = (selector: string, words: string) =>
    until(`(() => {
      const one = [...document.querySelectorAll('${selector}')].find((one) => one.textContent.trim().startsWith('${words}'))
      one?.click()
      return one !== undefined
    })()`)
  const offer = async (words: string, offered: string) => {
    await until(`document.querySelector('#figure-search') !== null`)
    await tab.evaluate(`document.querySelector('#figure-search').focus()`)
    await tab.type(words)
    await until(`document.querySelector('#figure-offers li')?.textContent.startsWith('${offered}')`)
    await tab.press('Enter')
  }
  const fill = (label: string, value: string) =>
    until(`(() => {
      const field = [...document.querySelectorAll('.field')].find((one) => one.textContent.trim() === '${label}')
      const input = field?.querySelector('input')
      if (!input) return false
      input.value = '${value}'
      input.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    })()`)
  const shown = (names: string) => until(`location.search.includes('${names}')`)
  return [
    {
      name: 'find the jobless rate of two countries',
      async run() {
        await click('.views a', 'Indicators')
        await offer('jobless rate of germany', 'Germany: Unemployment rate')
        await shown('DEU.unemployment')
        await offer('jobless rate of japan', 'Japan: Unemployment rate')
        await shown('JPN.unemployment')
        const figures = `[...document.querySelectorAll('.compared output')].map(({ textContent }) => textContent).join('|')`
        await until(`/%\\|.*%/.test(${figures})`)
      },
    },
    {
      name: 'compare inflation since 2019',
      async run() {
        await click('.views a', 'Indicators')
        await offer('inflation united states', 'United States: Inflation')
        await offer('inflation germany', 'Germany: Inflation')
        await shown('DEU.inflation')
        for (;;) {
          const other = await tab.evaluate<string | null>(
            `document.querySelector('.compared button[aria-label^="Remove"]:not([aria-label*="Inflation"])')?.ariaLabel ?? null`,
          )
          if (other === null) break
          await tab.evaluate(`document.querySelector('[aria-label="${other}"]').click()`)
          await until(
            `document.querySelector('[aria-label="${other}"]') === null && document.querySelector('.compared li') !== null`,
          )
        }
        await fill('From', '2019')
        await shown('start=2019')
        await until(`document.querySelector('#vintage') !== null`)
        await tab.evaluate(`document.querySelector('.plot-cursor').focus()`)
        await tab.press('Home')
        expect(await tab.evaluate(`document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`)).toMatch(
          /^Jan 2019 {3}USA.*%.*DEU.*%/,
        )
      },
    },
    {
      name: 'say what the GDP of 2024-Q1 was as first published',
      async run() {
        await click('.views a', 'Indicators')
        await until(`document.querySelector('.plot-cursor') !== null`)
        await tab.evaluate(`document.querySelector('.plot-cursor').focus()`)
        const said = `document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`
        while (!(await tab.evaluate<string>(said)).startsWith('Q1 2024')) await tab.press('ArrowLeft')
        expect(await text('.prints tbody th')).toBe('1')
        expect((await text('.prints td.amount')).replace(/\D/g, '')).toBe('28284498000000')
      },
    },
    {
      name: 'export it',
      async run() {
        await tab.evaluate('saved.length = 0')
        await click('.files button', 'CSV')
        const [file] = await until<{ text: string }[]>('saved.length === 1 && saved')
        expect(file?.text).toContain('2024-Q1')
      },
    },
    {
      name: 'cite it',
      async run() {
        await click('.prints a', 'why')
        await click('button', 'Copy citation')
        expect(await until<string>('copied')).toMatch(
          /^U\.S\. Bureau of Economic Analysis.* \(2024\)\. .*United States, Q1 2024: 28.* USD\. As released on 25 Apr 2024, rel_\w+\..*SHA-256 [0-9a-f]{64}\. Retrieved on .* from http/,
        )
      },
    },
  ]
}
