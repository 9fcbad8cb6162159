import { expect } from 'vitest'
import type { Event, EventPage } from '../../contracts/events.ts'
import { plans } from '../../contracts/plans.ts'
import type { Tab } from '../support/browser.ts'
import { DESK, expectFaultless, NARROW, PHONE } from '../support/page-faults.ts'

/** Checks of the views of prices and of the journal, in the tab of a person who has given a key. */

/** Waits until an expression in the page is true. */
const until = (tab: Tab, expression: string) =>
  expect.poll(() => tab.evaluate<boolean>(expression), { message: expression }).toBe(true)
const textOf = (tab: Tab, selector: string) =>
  tab.evaluate<string | undefined>(`document.querySelector(${JSON.stringify(selector)})?.textContent`)
/** Paths that the page has asked for. */
const asked = (tab: Tab) =>
  tab.evaluate<
    string[]
  >(`performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType === 'fetch')
    .map(({ name }) => new URL(name).pathname)`)

/** Holds that a group has the lines and changes of all its instruments, its points below each other, for few calls. */
export async function expectGroupOfPrices(tab: Tab, base: string): Promise<void> {
  await tab.view({ width: DESK })
  await tab.open(`${base}/?view=prices&group=precious_metals&symbol=XAU-USD`)
  await until(
    tab,
    `[...document.querySelectorAll('.quotes td.change')].every(({ title }) => title.startsWith('against '))`,
  )
  expect(
    await tab.evaluate(`[...document.querySelectorAll('.quotes th a')].map(({ textContent }) => textContent)`),
  ).toEqual(['Gold', 'Silver', 'Platinum', 'Palladium'])
  expect(await textOf(tab, '#candles-title')).toBe('Gold in USD XAU-USD')
  // The names are whole, and the points of a column are at one place, at twice the size of text too.
  for (const width of [DESK, DESK / 2, PHONE, NARROW]) {
    await tab.view({ width })
    await until(
      tab,
      `new Set([...document.querySelectorAll('.quotes .fraction')].map((one) => Math.round(one.getBoundingClientRect().left)))
        .size === 1`,
    )
    await expectFaultless(tab, `prices at ${width}`)
  }
  const calls = (await asked(tab)).filter((path) => path.startsWith('/v1/prices/') || path.startsWith('/asof/'))
  // The lines of all, by minutes too in the first hour, and the plot.
  expect(calls.filter((path) => path.endsWith('/candles')).sort()).toEqual([
    '/v1/prices/XAU-USD/candles',
    '/v1/prices/candles',
    '/v1/prices/candles',
  ])
  // The change is of what the line shows, and says since when.
  expect(await textOf(tab, '.over')).toMatch(/^change since \d{1,2} \w{3} \d{4} \d\d:\d\d UTC$/)
  expect(calls.filter((path) => path.startsWith('/asof/'))).toEqual([])
}

/** Holds that a plan without the stream reads the rates once, and shows no row without a price. */
export async function expectPricesWithoutStream(tab: Tab): Promise<void> {
  await until(tab, `/^As of /.test(document.querySelector('.delay')?.textContent ?? '')`)
  const cells = `[...document.querySelectorAll('.quotes tr:not([hidden]) td.price')].map(({ textContent }) => textContent)`
  // They are drawn with the next frame.
  await until(tab, `${cells}.filter((text) => /\\d/.test(text)).length === 46 + 20`)
  expect(await tab.evaluate<number>(`${cells}.length`)).toBe(46 + 20)
  expect(await textOf(tab, '.missing')).toBe('')
  // Each path once, the lines by minutes too in the first hour: no call for each instrument.
  const calls = await asked(tab)
  expect(calls.filter((path) => path.endsWith('/candles'))).toEqual(['/v1/prices/candles', '/v1/prices/candles'])
  expect(calls.filter((path) => path.endsWith('/fx/rates/USD'))).toHaveLength(2)
}

/** Holds that a page has prices while others have all streams of its account open, and a stream of its own once they close. */
export async function expectPricesBesideOpenStreams(parts: {
  readonly key: string
  readonly streams: string
  readonly open: () => Promise<Tab>
}): Promise<void> {
  const others = Array.from(
    { length: plans.basic.concurrentStreams },
    () => new WebSocket(`${parts.streams}/v1/events/stream`, { headers: { authorization: `Bearer ${parts.key}` } }),
  )
  await Promise.all(
    others.map((socket) => new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))),
  )
  const tab = await parts.open()
  // At once: on a busy machine this process may not answer a ping in time, and the stream that then ends is the page's.
  await until(
    tab,
    `/^Not connected: Too many streams open\\. Connecting again in \\d+ s\\. What to do$/.test(document.querySelector('.stream-state').textContent)`,
  )
  await expectPricesWithoutStream(tab)
  for (const socket of others) socket.close()
  await until(tab, `document.querySelector('.stream-state').dataset.phase === 'live'`)
}

/** Holds that every row of the whole board has its line of the last day, for one call once there are candles. */
export async function expectLineInEveryRow(tab: Tab, base: string): Promise<void> {
  // The demo has no day behind it, so each pair is answered with one; first with none, as right after a start.
  await tab.prepare(`const ask = fetch
    let isFirst = true
    globalThis.fetch = async (path, ...more) => {
      if (!path.startsWith('/v1/prices/candles?')) return ask(path, ...more)
      const { pairs } = await (await ask(path, ...more)).json()
      const candles = Array.from({ length: isFirst ? 0 : 48 }, (_, i) => ({ start: new Date(Date.now() - (48 - i) * 1_800_000).toISOString(),
        open: '1', high: '1', low: '1', close: String(1 + i / 1000), ticks: 1, sources: ['TEST'] }))
      isFirst = false
      return new Response(JSON.stringify({ pairs: pairs.map((pair) => ({ ...pair, candles, as_of: new Date().toISOString() })) }))
    }`)
  await tab.open(`${base}/?view=prices`)
  const points = `[...document.querySelectorAll('.spark path')].map((path) => (path.getAttribute('d') ?? '').split('L').length)`
  await until(tab, `${points}.length === 66 && ${points}.every((count) => count >= 49)`)
  const calls = async () => (await asked(tab)).filter((path) => path.endsWith('/candles'))
  expect(await calls()).toEqual(['/v1/prices/candles', '/v1/prices/candles'])
  // What was read is kept when the view is opened again.
  await tab.evaluate(`document.querySelector('.views a').click()`)
  await until(tab, `${points}.length === 66 && ${points}.every((count) => count >= 49)`)
  expect(await calls()).toHaveLength(2)
}

/** Holds that a connection on which no price comes is not called live, and that the page says what to do. */
export async function expectNothingServed(tab: Tab, base: string): Promise<void> {
  // A service that has no price at all.
  await tab.prepare(`globalThis.WebSocket = class {
    constructor() { setTimeout(() => this.onmessage({ data: '{"type":"subscribed"}' })) }
    close() {}
  }`)
  await tab.open(`${base}/?view=prices`)
  await until(tab, `document.querySelector('.stream-state').dataset.phase === 'quiet'`)
  expect(await textOf(tab, '.stream-state')).toBe('Connected, and no price has come')
  await expect.poll(() => textOf(tab, '.missing'), { timeout: 10_000 }).toContain('ALMANAC_FEED_URL')
  expect(await tab.evaluate(`document.querySelectorAll('.quotes tr:not([hidden]) td.price').length`)).toBe(0)
}

const transition = (sequence: number): Event => ({
  specversion: '1.0',
  id: `evt_${String(sequence).padStart(26, '0')}`,
  source: '/almanac/commodities',
  type: `prices.instrument.${sequence <= 7 ? 'stale' : 'recovered'}`,
  subject: ['XAU-USD', 'XAG-USD', 'BRENT-USD'][sequence % 3] ?? '',
  time: `2026-11-23T10:00:${String(sequence).padStart(2, '0')}.000Z`,
  datacontenttype: 'application/json',
  dataschema: 'urn:almanac:schema:SpotPrice',
  family: 'commodities',
  sequence: String(sequence).padStart(20, '0'),
  data: { price: `17${sequence}.5` },
  cursor: `v1.${sequence}`,
})

/** Holds that the events of an outage are one row that unfolds, and that a filter in words finds what is in it, on a telephone. */
export async function expectOutageFolded(tab: Tab, base: string): Promise<void> {
  const page: EventPage = {
    events: Array.from({ length: 9 }, (_, i) => transition(i + 1)),
    next_cursor: 'v1.9',
    has_more: false,
    as_of: '2026-11-23T10:00:09.000Z',
  }
  // The demo has had no outage.
  await tab.prepare(`const ask = fetch
    globalThis.fetch = (path, ...more) => path.startsWith('/v1/events?')
      ? Promise.resolve(new Response(${JSON.stringify(JSON.stringify(page))})) : ask(path, ...more)`)
  await tab.view({ width: PHONE })
  await tab.open(`${base}/?view=journal&start=1`)
  await until(tab, `document.querySelectorAll('.outage').length === 1`)
  const visible = `[...document.querySelectorAll('.journal-table tbody:not([hidden]) .subject')].map(({ textContent }) => textContent)`
  expect(await tab.evaluate(visible)).toEqual(['7 stale, 2 recovered'])
  await tab.evaluate(`document.querySelector('.outage button').click()`)
  expect(await tab.evaluate(`document.activeElement.getAttribute('aria-expanded')`)).toBe('true')
  expect(await tab.evaluate<string[]>(visible)).toHaveLength(10)
  await tab.evaluate(`(() => {
    const input = document.querySelector('input[type=search]')
    input.value = 'Gold recovered'
    input.dispatchEvent(new Event('input'))
  })()`)
  expect(await tab.evaluate(visible)).toEqual(['Gold in USD'])
  expect(await tab.evaluate('location.search')).toBe('?view=journal&start=1&find=gold+recovered')
  expect(await textOf(tab, '.count')).toBe('“gold recovered” is found in 1 of the 9 events that are loaded.')
  await tab.evaluate(`document.querySelector('.journal-table tbody:not([hidden]) button').click()`)
  expect(await textOf(tab, '.event-detail pre')).toContain('"price": "179.5"')
  await expectFaultless(tab, 'the journal of an outage')
}
