import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { untilIn } from '../support/console-tab.ts'

/** The long tier walks for half an hour. */
const MINUTES = Number(process.env.ALMANAC_TEST_MINUTES ?? 0)
/** Between two rounds of the long tier, ms: a key has few calls a minute, and streams need time to send. */
const PAUSE_MS = MINUTES > 0 ? 15_000 : 0
const FEWEST_ROUNDS = 3
/**
 * Rounds before the first measure. The heap grows for a dozen of them, by what the browser compiles and by what is kept on
 * purpose. Later only its compiled code grows: by 0.3 MB from round 24 to round 144.
 */
const WARM_UP = MINUTES > 0 ? 16 : 2
/** How many times of the first measure the last one may be. */
const GROWTH = MINUTES > 0 ? 1.25 : 1.5

/** V8 keeps one of the first charts of a page: of the first nine in each run that was measured. */
const PLOTS = 12

/** A sign that each view is complete, by the name of its link. */
const views = {
  Indicators: '.plot canvas',
  Catalogue: '.catalogue-table td a',
  Calendar: '.calendar-layout',
  Journal: '.journal-table tbody',
  Service: '.gauge',
  // A price that has arrived: a row has more nodes with it.
  Prices: '.quotes .fraction',
}

async function goTo(tab: Tab, name: keyof typeof views): Promise<void> {
  await untilIn(
    tab,
    `(() => {
      const link = [...document.querySelectorAll('.views a')].find((link) => link.textContent === '${name}')
      link?.click()
      return link !== undefined
    })()`,
  )
  await untilIn(
    tab,
    `document.querySelector('${views[name]}') !== null && document.querySelector('.view .waiting') === null`,
  )
}

async function walk(tab: Tab): Promise<void> {
  // The cast: the names of an object are those of its type.
  for (const name of Object.keys(views) as (keyof typeof views)[]) await goTo(tab, name)
}

/** Holds that no plot is kept once its view is left. */
export async function expectPlotsLetGo(tab: Tab): Promise<void> {
  for (let i = 0; i < PLOTS; i++) {
    await goTo(tab, 'Indicators')
    await tab.evaluate(`void (globalThis.left ??= []).push(new WeakRef(document.querySelector('.plot .readout')))`)
    await goTo(tab, 'Catalogue')
  }
  const kept = async () => {
    await tab.held()
    return tab.evaluate(`left.flatMap((plot, i) => plot.deref() ? [i] : [])`)
  }
  await expect.poll(kept).toEqual([])
}

/** Holds that a page which is used for long holds no more than after its first rounds. Returns what it held. */
export async function expectFlatMemory(tab: Tab): Promise<object> {
  const began = performance.now()
  // The same pause before both measures: the last view fills while it is shown.
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  for (let i = 0; i < WARM_UP; i++) await walk(tab)
  await pause()
  const first = await tab.held()
  let rounds = 0
  for (; rounds < FEWEST_ROUNDS || performance.now() - began < MINUTES * 60_000; rounds++) {
    await walk(tab)
    await pause()
  }
  const last = await tab.held()
  const said = JSON.stringify({ first, last, rounds })
  expect(last.heapBytes, said).toBeLessThan(first.heapBytes * GROWTH)
  // A view that is not let go has some hundreds of nodes, and as many in each round.
  expect(last.nodes, said).toBeLessThan(first.nodes * 1.25)
  expect(last.listeners, said).toBeLessThan(first.listeners + 100)
  return { first, last, rounds }
}
