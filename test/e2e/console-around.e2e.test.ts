import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Browser, hasNoBrowser, openBrowser, type Tab } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { openWithKey, pasteKey, textOf, untilIn } from '../support/console-tab.ts'
import { startSample } from '../support/demo.ts'
import { servePage } from '../support/html-server.ts'
import { DESK, everyView, expectFaultless, PHONE } from '../support/page-faults.ts'
import { type Service, startService } from '../support/service.ts'
import { openOthers } from './console-away.ts'
import { expectFlatMemory, expectPlotsLetGo } from './console-memory.ts'
import { doTasks, tasksOfAnalyst } from './console-tasks.ts'

/** What the console does beside its plots and streams: the catalogue, keys that end, and a service that stops. */
const journey = describe.skipIf(hasNoBrowser)

journey('the console around its plots', () => {
  let dataDir: string
  let service: Service
  let browser: Browser
  let tab: Tab
  let key: string
  let freeKey: string
  let pages: Awaited<ReturnType<typeof servePage>>

  const until = <T>(expression: string, own = tab) => untilIn<T>(own, expression)
  const text = (selector: string, own = tab) => textOf(own, selector)
  const tabWithKey = (pasted = key) => openWithKey(browser, service.base, pasted)

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-console-'))
    pages = await servePage(
      (path) =>
        `<!doctype html><title>News</title><iframe src="${service.base}${path}" width="700" height="500"></iframe>`,
    )
    service = await startSample(dataDir, {
      ALMANAC_EMBED: 'USA.inflation, DEU.inflation',
      ALMANAC_EMBED_ANCESTORS: pages.base,
    })
    const keys = await service.keys()
    key = keys.pro
    freeKey = keys.free
    browser = await openBrowser()
  })
  beforeEach(async () => {
    tab = await tabWithKey()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
    await pages?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('shows what is served by country and indicator, finds it by words, and gives files of what is shown', async () => {
    await tab.open(`${service.base}/?view=catalogue`)
    await until(`document.querySelectorAll('.catalogue-table td:not(.none)').length >= 90`)
    await tab.evaluate(`(() => {
      const field = document.querySelector('.controls input')
      field.value = 'Singapore gross'
      field.dispatchEvent(new Event('input'))
      const show = document.querySelector('.controls select')
      show.value = 'publisher'
      show.dispatchEvent(new Event('change'))
    })()`)
    const cells = `[...document.querySelectorAll('.catalogue-table td')].map((cell) => cell.innerText)`
    await until(`${cells}.length === 2`)
    const shown = await tab.evaluate<string[]>(cells)
    expect(shown[0]).toMatch(/^Q4 2025\n+\d+ quarters old, next \d+ days late\n+Singapore Department of Statistics$/)
    const link = await tab.evaluate<string>('location.href')
    expect(link).toMatch(/view=catalogue&find=singapore\+gross&show=publisher$/)
    await tab.evaluate(
      `[...document.querySelectorAll('.files button')].find(({ textContent }) => textContent === 'CSV').click()`,
    )
    const [csv] = await until<{ text: string }[]>('saved.length === 1 && saved')
    const [head = '', ...rows] = csv?.text.trim().split('\r\n') ?? []
    expect(head).toMatch(/^country,country_name,indicator,.*,publisher,source$/)
    expect(rows.map((row) => row.split(',')[2])).toEqual(['gdp', 'gdp-growth'])

    // Nobody fetched the sample.
    await tab.open(`${service.base}/?view=catalogue&find=singapore+gross&show=fetched`)
    await until(`${cells}.length === 2`)
    for (const cell of await tab.evaluate<string[]>(cells)) expect(cell).toMatch(/\n+no fetch on record$/)

    // A series that has probably ended has nothing late.
    await tab.open(`${service.base}/?view=catalogue&find=australia+gross`)
    await until(`${cells}.length === 2`)
    for (const cell of await tab.evaluate<string[]>(cells)) expect(cell).toMatch(/\n\d+ quarters old, probably ended$/m)

    const other = await tabWithKey()
    await other.open(link)
    await until(`${cells}.length === 2`, other)
    expect(await other.evaluate(cells)).toEqual(shown)
    await other.evaluate(`document.querySelector('.catalogue-table td a').click()`)
    await until(`document.querySelector('.plot canvas') !== null`, other)
    expect(await other.evaluate('location.search')).toContain('view=indicators&country=SGP&indicator=gdp')
  })

  it('says that a key has ended and how, and takes another one as it was copied', async () => {
    type Issued = { readonly key: string; readonly key_id: string }
    const keys = async (...args: string[]): Promise<Issued> => {
      const { stdout } = await runCommand(['keys', ...args, '--json'], { ALMANAC_DATA_DIR: dataDir })
      return JSON.parse(stdout) as Issued
    }
    const origin = service.base
    const first = await keys('create', '--plan', 'pro', '--owner', 'console', '--origin', origin)
    // The service learns of a new key within a second.
    const answers = async (key: string) =>
      (await fetch(`${service.base}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status
    await expect.poll(() => answers(first.key)).toBe(200)
    const own = await tabWithKey(first.key)
    await own.open(`${service.base}/?view=service`)
    await until(`document.querySelector('.gauge') !== null`, own)
    const goTo = (name: string) =>
      own.evaluate(`[...document.querySelectorAll('.views a')].find((link) => link.textContent === '${name}').click()`)
    const refusal = '#content > .refused'

    const second = await keys('rotate', first.key_id, '--overlap', '0')
    await expect.poll(() => answers(first.key)).toBe(401)
    await goTo('Calendar')
    expect(await text(`${refusal} b`, own)).toBe('The API key has expired.')
    expect(await text('#key-advice', own)).toContain('var/demo-keys.json')
    await expectFaultless(own, 'a key that has expired')
    await pasteKey(own, `${second.key.slice(0, -1)}_`)
    expect(await text('.key-form .refused', own)).toContain('a character of it is wrong or missing')
    expect(await text('#key-advice', own)).toContain('var/demo-keys.json')
    await expect.poll(() => answers(second.key)).toBe(200)
    await pasteKey(own, ` "Bearer ${second.key}", `)
    await until(`document.querySelector('.calendar-layout') !== null`, own)
    expect(await own.evaluate(`document.querySelector('${refusal}').hidden`)).toBe(true)

    await keys('revoke', second.key_id)
    await expect.poll(() => answers(second.key)).toBe(401)
    await goTo('Journal')
    expect(await text(`${refusal} b`, own)).toBe('The API key was revoked.')
    await pasteKey(own, key)
    await until(`document.querySelector('.journal-table tbody') !== null`, own)
  })

  it('shows on a telephone which view is open, and a field for the key that is as wide as its form', async () => {
    const own = await tabWithKey(key)
    await own.view({ width: PHONE })
    await own.open(`${service.base}/?view=service`)
    await until(`document.querySelector('.gauge') !== null`, own)
    const right = `document.querySelector('.views [aria-current]').getBoundingClientRect().right`
    expect(await own.evaluate<number>(right)).toBeLessThanOrEqual(PHONE)
    const another = await browser.newTab()
    await another.view({ width: DESK })
    await another.open(`${service.base}/?view=prices`)
    const gap = `document.querySelector('.key-form button').getBoundingClientRect().left -
      document.querySelector('#api-key').getBoundingClientRect().right`
    expect(await another.evaluate<number>(gap)).toBeLessThan(20)
  })

  it('serves five tasks of an analyst in a minute each', async () => {
    await tab.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text } } })`,
    )
    console.log(await doTasks(tasksOfAnalyst(tab)))
  })

  it('holds no more memory the longer it is used', { timeout: 3_600_000 }, async () => {
    console.log(await expectFlatMemory(tab))
  })

  it('lets go of a plot once its view is left', async () => {
    await expectPlotsLetGo(tab)
  })

  it('is embedded by the pages that the operator names, without a key, and by no others', async () => {
    const reader = await browser.newTab()
    const figures = '/embed/USA.inflation,DEU.inflation?start=2019'
    await reader.open(`${pages.base}${figures}`)
    expect(await reader.frames()).toEqual([service.base + figures])
    // The same server under another name is another origin.
    await reader.open(`${pages.base.replace('127.0.0.1', 'localhost')}${figures}`)
    expect(await reader.frames()).toEqual([])

    for (const view of everyView) {
      await reader.view(view)
      expect(await reader.open(service.base + figures)).toBe(200)
      await expectFaultless(reader, `a plot for a frame ${JSON.stringify(view)}`)
    }
    const shown = `[...document.querySelectorAll('svg')].filter((one) => one.getBoundingClientRect().width > 0).length`
    expect(await reader.evaluate(shown)).toBe(1)
    expect(await textOf(reader, 'main')).toMatch(/percent.*As known now: USA .*%, \w+ 20\d\d; DEU .*\. Source: /s)
  })

  // The last one: it starts the service anew.
  it('keeps what it shows while the service is stopped, says how old it is, and goes on when it is back', async () => {
    const phase = `document.querySelector('.stream-state')?.dataset.phase`
    const prices = `[...document.querySelectorAll('.quotes td.price')].filter((cell) => /\\d/.test(cell.textContent)).length`
    await tab.view({ width: DESK })
    await tab.open(`${service.base}/?view=prices`)
    await until(`${phase} === 'live' && ${prices} > 60`)
    const [, port = ''] = /:(\d+)$/.exec(service.base) ?? []
    const [, streamPort = ''] = /:(\d+)$/.exec(service.streams) ?? []
    await service.stop()
    await until(`document.querySelector('.away')?.hidden === false`)
    expect(await text('.away p')).toMatch(
      /^The service cannot be reached\. It answered last \d+ s ago, .* UTC\. What is shown is of then or earlier\.$/,
    )
    expect(await tab.evaluate<number>(prices)).toBeGreaterThan(60)
    expect(await tab.evaluate(`document.querySelector('.view').classList.contains('stale-view')`)).toBe(true)
    await expectFaultless(tab, 'a service that is away')
    await tab.evaluate(`document.querySelector('.away button').click()`)
    await until(`!document.querySelector('.away button').disabled`)
    expect(await tab.evaluate(`document.querySelector('.away').hidden`)).toBe(false)

    service = await startService(dataDir, { ALMANAC_HTTP_PORT: port, ALMANAC_STREAM_PORT: streamPort })
    await until(`document.querySelector('.away').hidden && ${phase} === 'live'`)
    expect(await tab.evaluate(`document.querySelector('.view').classList.contains('stale-view')`)).toBe(false)

    // A change of the view may be the first to notice.
    await tab.open(`${service.base}/?view=compare&series=USA.inflation,DEU.inflation`)
    await until(`document.querySelector('.vintage input') !== null`)
    const shown = `document.querySelector('.view').innerText`
    const before = await tab.evaluate<string>(shown)
    const others = await openOthers(service.base, { key, freeKey }, () => browser.newTab())
    const hide = async (isHidden: boolean) => {
      for (const own of [tab, ...others.tabs])
        await own.evaluate(`void Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })`)
    }
    // While the page counts as hidden, it does not ask by itself whether the service is there.
    await hide(true)
    await service.stop()
    await others.expectKept()
    expect(await tab.evaluate(`document.querySelector('.away').hidden`)).toBe(true)
    await tab.evaluate(`(() => {
      const [choice] = document.querySelectorAll('.controls select')
      choice.value = 'pc1'
      choice.dispatchEvent(new Event('change'))
    })()`)
    await until(`document.querySelector('.stale-view .plot canvas') !== null`)
    expect(await tab.evaluate(shown)).toBe(before)
    expect(await tab.evaluate(`document.querySelector('.away').hidden`)).toBe(false)

    await hide(false)
    service = await startService(dataDir, { ALMANAC_HTTP_PORT: port, ALMANAC_STREAM_PORT: streamPort })
    await until(`document.querySelector('.away').hidden && document.querySelector('.plot canvas') !== null`)
    expect(await tab.evaluate(`document.querySelector('.controls select').value`)).toBe('pc1')
    await others.expectBack()
  })
})
