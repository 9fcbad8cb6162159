import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { textOf, untilIn } from '../support/console-tab.ts'
import { PHONE } from '../support/page-faults.ts'

/** What the calendar of the console shows on a telephone, in the tab of a person who has given a key. */

const top = (tab: Tab, selector: string) =>
  tab.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().top`)

/** Holds that the reason of the one cancelled release stands below its title. */
export async function expectReasonBelowTitle(tab: Tab, base: string): Promise<void> {
  await tab.view({ width: PHONE })
  await tab.open(`${base}/?view=calendar&status=cancelled`)
  expect(await textOf(tab, '.day li small')).toBe('Not collected')
  const bottom = `document.querySelector('.day li > a').getBoundingClientRect().bottom`
  expect(await top(tab, '.day li small')).toBeGreaterThanOrEqual((await tab.evaluate<number>(bottom)) - 2)
}

/** Holds that the list comes before the dial, and that a link leads from a week to its month. */
export async function expectListWeekAndMonth(tab: Tab, base: string): Promise<void> {
  await tab.view({ width: PHONE })
  await tab.open(`${base}/?view=calendar`)
  await untilIn(tab, `document.querySelectorAll('.release.expected li').length > 50`)
  expect(await textOf(tab, '.calendar-layout h2')).toBe('Coming')
  expect(await top(tab, '.day')).toBeLessThan(await top(tab, '.calendar-layout aside'))
  // Weeks but the first are folded, and say what is in them.
  expect(await tab.evaluate(`[...document.querySelectorAll('.week')].filter(({ open }) => open).length`)).toBeLessThan(
    3,
  )
  expect(await textOf(tab, '.week:not([open]) summary')).toMatch(/ to \d+ \w+ \d{4}: \d+ expected/)
  // A day with many entries is cut in the month, and leads to its list.
  await tab.open(`${base}/?view=calendar&show=month`)
  await untilIn(tab, `document.querySelectorAll('section.cell').length > 27`)
  for (let turn = 0; turn < 2; turn++) {
    if (await tab.evaluate(`document.querySelector('.cell [aria-label*=" more of "]') !== null`)) break
    await tab.evaluate(`document.querySelector('.turner [aria-label$="after"]').click()`)
    await untilIn(tab, `document.querySelectorAll('section.cell').length > 27`)
  }
  await tab.evaluate(`document.querySelector('.cell [aria-label*=" more of "]').click()`)
  await untilIn(
    tab,
    `[...document.querySelectorAll('.day li, .lates li')].filter((one) => one.checkVisibility()).length > 6`,
  )
  expect(await tab.evaluate('location.search')).toMatch(/start=(\S+)&end=\1$/)
  await tab.open(`${base}/?view=calendar&show=week&on=2026-07-01&country=DEU&indicator=cpi`)
  await untilIn(tab, `document.querySelectorAll('.day').length === 7`)
  expect(await textOf(tab, '.release > p')).toBe('Bank for International Settlements published')
  expect(await textOf(tab, '.release li')).toMatch(
    /^Consumer prices, Germany, April 2026 *actual [\d.]+ *previous [\d.]+/,
  )
  await tab.evaluate(`document.querySelector('.shows a:last-child').click()`)
  await untilIn(tab, `document.querySelectorAll('section.cell').length === 31`)
  expect(await tab.evaluate('location.search')).toBe(
    '?view=calendar&show=month&on=2026-07-01&country=DEU&indicator=cpi',
  )
  expect(await textOf(tab, '.turner h2')).toBe('July 2026')
  const link = `document.querySelector('.cell p a')`
  expect(await tab.evaluate(`[${link}.textContent, ${link}.getAttribute('aria-label')]`)).toEqual([
    'DEU Apr',
    'DEU Apr: Consumer prices, Germany, April 2026, published',
  ])
}
