import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { pasteKey, untilIn } from '../support/console-tab.ts'

/**
 * Views that are changed while the service is stopped, each in a tab of its own: prices, health and a figure's origin. `freeKey`
 * has no streams, because a stream that breaks says at once that the service is away. Each tab opens its own view alone: the key
 * has 30 calls a minute.
 */
export async function openOthers(
  base: string,
  { key, freeKey }: { readonly key: string; readonly freeKey: string },
  newTab: () => Promise<Tab>,
) {
  const headers = { authorization: `Bearer ${key}` }
  const prints = await fetch(`${base}/v1/economics/AUS/trade/vintages?frequency=A&start=2022&limit=1`, { headers })
  const { vintages } = (await prints.json()) as { vintages: { release_id: string }[] }
  const [prices, interval, health, origin] = [await newTab(), await newTab(), await newTab(), await newTab()]
  const open = async (own: Tab, view: string) => {
    await own.open(`${base}/?view=${view}`)
    await pasteKey(own, freeKey)
  }
  const isKept = `document.querySelector('.stale-view') !== null && document.querySelector('.waiting, .view .note') === null`
  const shownPrices = `[...document.querySelectorAll('.quotes td.price')].filter(({ textContent }) => /\\d/.test(textContent)).length`
  for (const own of [prices, interval]) {
    await open(own, 'prices&group=precious_metals&symbol=XAU-USD')
    await untilIn(own, `${shownPrices} === 4 && document.querySelector('.plot canvas') !== null`)
  }
  await open(health, 'service')
  await untilIn(health, `document.querySelector('.gauge') !== null && document.querySelector('.waiting') === null`)
  await open(origin, `why&release=${vintages[0]?.release_id}`)
  await untilIn(origin, `document.querySelector('.pedigree summary') !== null`)
  return {
    tabs: [prices, interval, health, origin],
    async expectKept() {
      await prices.evaluate(`document.querySelector('.detail .close').click()`)
      await interval.evaluate(`(() => {
        const choice = document.querySelector('.detail select')
        choice.value = '5m'
        choice.dispatchEvent(new Event('change'))
      })()`)
      for (const own of [prices, interval]) {
        await untilIn(own, `${isKept} && document.querySelector('.plot canvas') !== null`)
        expect(await own.evaluate(shownPrices)).toBe(4)
      }
      await health.evaluate(`document.querySelector('.views [aria-current]').click()`)
      await untilIn(health, `${isKept} && document.querySelector('.gauge') !== null`)
      await origin.evaluate(`document.querySelector('.pedigree summary').click()`)
      await untilIn(origin, `document.querySelector('.stale-view .pedigree .waiting') !== null`)
    },
    async expectBack() {
      // A tab behind another one draws no prices.
      await untilIn(
        prices,
        `document.querySelector('.detail') === null && document.querySelector('.stale-view') === null`,
      )
      await untilIn(
        interval,
        `document.querySelector('.detail select')?.value === '5m' && document.querySelector('.plot canvas') !== null`,
      )
      await untilIn(
        health,
        `document.querySelector('.gauge') !== null && document.querySelector('.stale-view') === null`,
      )
      await untilIn(origin, `document.querySelector('.pedigree .inside a') !== null`)
    },
  }
}
