/**
 * Takes the README's picture of the console, from a service with the sample: `npm run picture`. The views change with the
 * sample and the day, so that it is taken again when the console changes, not by a test.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from './browser.ts'
import { until } from './journal.ts'
import { startService } from './service.ts'

const SHOWN = '/?view=compare&series=USA.inflation,DEU.inflation,JPN.inflation&start=2015'
const target = join(import.meta.dirname, '../../docs/pictures/console.png')

const dataDir = await mkdtemp(join(tmpdir(), 'almanac-picture-'))
const service = await startService(dataDir, {})
const browser = await openBrowser()
try {
  const { pro } = await service.keys()
  const tab = await browser.newTab()
  await tab.view({ width: 1_200, height: 860 })
  await tab.open(`${service.base}/`)
  await tab.evaluate(`document.querySelector('#api-key').value = '${pro}'`)
  await tab.evaluate(`document.querySelector('.key-form').requestSubmit()`)
  await tab.open(service.base + SHOWN)
  await until('the days of the plot', () => tab.evaluate<boolean>(`document.querySelector('#vintage') !== null`))
  await tab.screenshot(target, 'screen')
  console.log(target)
} finally {
  await browser.close()
  await service.destroy()
  await rm(dataDir, { recursive: true, force: true })
}
