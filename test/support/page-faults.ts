/** Checks of a page for every reader: no fault that axe knows, and nothing beyond the edge of the screen. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Tab, View } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** CSS pixels at which nothing has to be scrolled sideways (WCAG 1.4.10). */
export const NARROW = 320
export const PHONE = 390
export const DESK = 1_440
/** On a telephone and on a desk, by day and by night: each with each only where the whole is asked for. */
export const everyView: readonly View[] = [PHONE, DESK]
  .flatMap((width) => [false, true].map((dark) => ({ width, dark })))
  .filter(({ width, dark }) => process.env.ALMANAC_TEST_WHOLE === '1' || (width === DESK) === dark)

/** Faults that axe finds in the page that is open, each with where. The size of targets (WCAG 2.2 AA) is off by default. */
export async function axeFaults(tab: Tab): Promise<string[]> {
  await tab.evaluate(`${axe};undefined`)
  return tab.evaluate(`axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
    violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => impact + ' ' + id + ' at ' + target)))`)
}

/** Holds the page that is open to all of it; `where` names it in a failure. */
export async function expectFaultless(tab: Tab, where: string): Promise<void> {
  expect(await axeFaults(tab), where).toEqual([])
  await expectWithinEdges(tab, where)
}

/** Holds the page that is open to the edge of the screen: nothing lies beyond it, and no text is cut off. */
export async function expectWithinEdges(tab: Tab, where: string): Promise<void> {
  // Not `innerWidth`: on a telephone that grows with what is too wide.
  const { scrollWidth, clientWidth } = await tab.evaluate<Record<'scrollWidth' | 'clientWidth', number>>(
    '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
  )
  expect(scrollWidth, where).toBeLessThanOrEqual(clientWidth)
  expect(await tab.evaluate(CUT_OFF), where).toEqual([])
}

/** Elements whose text is wider than they are and can't be scrolled to. A text that ends in an ellipsis is whole in its title. */
const CUT_OFF = `[...document.querySelectorAll('td, th, dd, p, h1, h2, h3, pre, button, .masthead a')]
  .filter((one) => one.offsetParent !== null && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => !(getComputedStyle(one).textOverflow === 'ellipsis' && one.title !== ''))
  .map((one) => one.localName + ': ' + one.textContent.slice(0, 60))`
