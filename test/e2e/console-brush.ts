import { expect } from 'vitest'
import type { Tab } from '../support/browser.ts'
import { untilIn } from '../support/console-tab.ts'
import { DESK, PHONE } from '../support/page-faults.ts'

const COMPARED = '/?view=compare&series=USA.unemployment,DEU.unemployment'
const ONE = '/?view=indicators&country=USA&indicator=unemployment&frequency=M'
const RANGE = /&start=(\d{4}-\d\d)&end=(\d{4}-\d\d)/

/** Holds that a drag of the mouse or of a finger over a plot chooses a range, and that a finger still scrolls the page. */
export async function expectRangeByDrag(tab: Tab, base: string): Promise<void> {
  const until = <T>(expression: string) => untilIn<T>(tab, expression)
  const open = async (path: string) => {
    await tab.open(base + path)
    await until(`document.querySelector('.plot canvas') !== null && document.querySelector('.waiting') === null`)
    await tab.evaluate(`document.querySelector('.plot').scrollIntoView({ block: 'center', behavior: 'instant' })`)
  }
  /** Places in the plot, by parts of its width and height. */
  const places = async (...parts: readonly (readonly [x: number, y: number])[]) => {
    const box = await tab.evaluate<Record<'x' | 'y' | 'width' | 'height', number>>(
      `document.querySelector('.u-over').getBoundingClientRect().toJSON()`,
    )
    return parts.map(([x, y]) => ({ x: box.x + x * box.width, y: box.y + y * box.height })) as [Place, Place]
  }
  const address = () => tab.evaluate<string>('location.search')
  const pressed = `document.querySelector('[aria-label="Range"] [aria-pressed="true"]')?.textContent`

  for (const [pointer, width] of [
    ['mouse', DESK],
    ['finger', PHONE],
  ] as const)
    for (const path of [COMPARED, ONE]) {
      await tab.view({ width })
      await open(path)
      expect(await tab.evaluate(pressed)).toBe('all')
      await tab.drag(pointer, ...(await places([0.3, 0.5], [0.6, 0.5])))
      await until(`${RANGE}.test(location.search)`)
      const [, start = '', end = ''] = RANGE.exec(await address()) ?? []
      expect(start < end && start > '2003' && end < '2024', `${start} to ${end}`).toBe(true)
      await until(`document.querySelector('.controls input').value === '${start}'`)
      expect(await tab.evaluate(pressed)).toBeUndefined()
      // The plot stays on the screen, and has the keyboard.
      await until(`document.activeElement?.className === 'plot-cursor'`)
      const seen = `document.querySelector('.u-over').getBoundingClientRect()`
      await until(`${seen}.top >= 0 && ${seen}.bottom <= innerHeight`)
      await tab.evaluate(`[...document.querySelectorAll('[aria-label="Range"] button')].at(-1).click()`)
      await until(`!location.search.includes('start=')`)
    }

  for (const path of [COMPARED, ONE]) {
    await open(path)
    const before = await tab.evaluate<number>('scrollY')
    await tab.drag('finger', ...(await places([0.5, 0.8], [0.5, 0.2])))
    await until(`scrollY > ${before} + 40`)
    expect(await address()).toBe(path.slice(1))
  }
  await tab.view({ width: DESK })
}

type Place = Parameters<Tab['drag']>[1]
