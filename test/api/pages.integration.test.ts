import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAdmin, type JobQueue } from '../../api/admin/build-admin.ts'
import type { Overview } from '../../api/admin/overview/overview.ts'
import { problemCodes } from '../../api/pages/problem-pages.ts'
import { type Browser, hasNoBrowser, openBrowser, type Tab, type View } from '../support/browser.ts'
import { axeFaults, DESK, everyView, expectFaultless, expectWithinEdges, PHONE } from '../support/page-faults.ts'
import { busyOverview } from './overview/support.ts'
import { bearer, listen, world } from './support.ts'

/** The pages as a person has them: in a real browser, on a telephone and on a desk, by day and by night. */
const TOKEN = 'TEST-token'
const TABLET = 768
const START = Date.UTC(2026, 5, 1, 12)
const lastRun = {
  outcome: 'retrying',
  startedAt: START,
  endedAt: START + 2_200,
  attempt: 1,
  detail: 'connect ECONNREFUSED 10.0.0.1:443',
  retryAt: START + 60_000,
}

const rejected = {
  input_id: '0'.repeat(64),
  recorded_at: '2026-06-01T12:00:00.000Z',
  source: 'EUROSTAT',
  dataset: 'NAMQ_10_GDP',
  url: 'file:a-file-with-a-long-name.json',
  reason: 'held_contradiction',
  location: 'series 3, observation 5',
  detail: '12 of 12 figures are those of DEU.gdp-volume.Q.EUROSTAT.NAMQ_10_GDP.EUR.SA.2020.',
}

describe.skipIf(hasNoBrowser)('the pages in a browser', () => {
  let browser: Browser
  let tab: Tab
  let base: string
  let admin: string
  const triggered: string[] = []
  let shown = (): Overview | undefined => busyOverview()
  const rule = { when: '0 13 * * 4', timeZone: 'Europe/Paris', announced: [] }
  const jobs: JobQueue = {
    list: async () => [
      {
        name: 'oecd/DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD',
        running: false,
        nextRun: START + 60_000,
        ...rule,
        lastRun,
      },
      { name: 'comtrade/C/M/HS', running: true, nextRun: null, ...rule, lastRun: null },
    ],
    trigger: async (name) => {
      triggered.push(name)
      return 'started'
    },
  }

  beforeAll(async () => {
    const { app } = await world()
    base = `http://127.0.0.1:${await listen(app)}`
    const operators = await buildAdmin({
      metrics: { contentType: 'text/plain', metrics: async () => '' },
      overview: async () => shown() ?? expect.unreachable(),
      ready: () => true,
      clock: () => START,
      jobs,
      rejected: async () => [rejected],
      token: TOKEN,
      host: '127.0.0.1',
    })
    admin = `127.0.0.1:${await listen(operators)}`
    browser = await openBrowser()
    tab = await browser.newTab()
    closers.push(
      () => browser.close(),
      () => operators.close(),
    )
  })
  const closers: (() => Promise<unknown>)[] = []
  afterAll(() => Promise.all(closers.map((close) => close())))

  const jobsPage = () => `http://operator:${TOKEN}@${admin}/jobs`
  const quarantineAddress = () => `http://operator:${TOKEN}@${admin}/quarantine`
  const overviewAddress = () => `http://operator:${TOKEN}@${admin}/overview`
  const pages: readonly [string, () => string, number][] = [
    ['the first page', () => `${base}/`, 200],
    ['the reference', () => `${base}/docs`, 200],
    ['the list of problems', () => `${base}/problems`, 200],
    ['what is not served', () => `${base}/nothing`, 404],
    ['the jobs', jobsPage, 200],
    ['the rejected inputs', quarantineAddress, 200],
    ['the overview', overviewAddress, 200],
    ['what operators are not served', () => `http://operator:${TOKEN}@${admin}/nothing`, 404],
  ]

  const holdToView = async (url: string, status: number, view: View) => {
    const where = `${url} ${JSON.stringify(view)}`
    await tab.view(view)
    expect(await tab.open(url), where).toBe(status)
    await expectFaultless(tab, where)
  }

  it.each(pages)('have no fault that axe knows, nor anything beyond the edge: %s', async (_name, url, status) => {
    for (const view of everyView) await holdToView(url(), status, view)
  })

  it('have none for any problem', async () => {
    await holdToView(`${base}/problems/not_yet_published`, 200, { width: PHONE })
    // One template for all: the narrow view is where a long code or sentence would not fit.
    for (const code of problemCodes) {
      expect(await tab.open(`${base}/problems/${code}`), code).toBe(200)
      await expectWithinEdges(tab, code)
    }
    await holdToView(`${base}/problems/not_yet_published`, 200, { width: DESK, dark: true })
  })

  it.each(pages.slice(0, 7))('are left for their content with the first key: %s', async (_name, url) => {
    await tab.view({ width: DESK })
    await tab.open(url())
    await tab.press('Tab')
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    expect(await tab.evaluate('document.activeElement.getBoundingClientRect().top')).toBeGreaterThanOrEqual(0)
    await tab.press('Enter')
    expect(await tab.evaluate('document.querySelector(":target").localName')).toBe('main')
  })

  it('leave reasons room beside long names on a tablet', async () => {
    await tab.view({ width: TABLET })
    for (const page of [jobsPage(), quarantineAddress()]) {
      await tab.open(page)
      await expectWithinEdges(tab, page)
      const width = `document.querySelector('.listing .wide').getBoundingClientRect().width`
      expect(await tab.evaluate(width), page).toBeGreaterThan(200)
    }
  })

  it('show on the first screen of a telephone what they are about', async () => {
    await tab.view({ width: PHONE })
    for (const [, url] of pages.slice(0, 7)) {
      await tab.open(url())
      expect(await tab.evaluate('document.querySelector("h1").getBoundingClientRect().bottom')).toBeLessThan(320)
    }
    await tab.open(`${base}/`)
    expect(await tab.evaluate('document.querySelector(".doors").getBoundingClientRect().top')).toBeLessThan(844)
  })

  it.each([PHONE, 800, DESK])('fill the last row of the first page’s doors at %i pixels', async (width) => {
    await tab.view({ width })
    await tab.open(`${base}/`)
    const [list, last] = await tab.evaluate<[number, number]>(
      `['.doors', '.doors li:last-child'].map((place) => document.querySelector(place).getBoundingClientRect().right)`,
    )
    expect(list - last).toBeLessThan(2)
  })

  it('say that prices are simulated, as long as one is', async () => {
    const { app, prices } = await world()
    const url = `http://127.0.0.1:${await listen(app)}`
    const notice = async () => {
      await tab.open(`${url}/docs`)
      return tab.evaluate<string | undefined>('document.querySelector(".notice")?.textContent')
    }
    expect(await notice()).toContain('Simulated prices')
    prices.apply({ ...(prices.quote('WTI-USD') ?? expect.unreachable()), source: 'TEST', tick_offset: 2 })
    await tab.evaluate(`fetch('/docs', { cache: 'reload' })`)
    expect(await notice()).toBeUndefined()
  })

  it('run an example of the reference with the key that was put in', async () => {
    await tab.open(`${base}/docs`)
    await tab.evaluate(`document.querySelector('.key input').value = '${bearer().authorization.slice(7)}'`)
    const answer = await tab.evaluate<string>(`(async () => {
      const article = document.getElementById('economics_get_cpi')
      const pane = article.querySelector('.answer')
      const answered = new Promise((resolve) => new MutationObserver(() => pane.querySelector('pre') && resolve()).observe(pane, { childList: true }))
      article.querySelector('.run').click()
      await answered
      return pane.textContent
    })()`)
    expect(answer).toMatch(/^200 in \d+ ms/)
    expect(answer).toContain('"value": "325.4"')
    expect(await axeFaults(tab)).toEqual([])
  })

  it('find operations of the reference by words, at an address, and open the one that an address names', async () => {
    await tab.open(`${base}/docs`)
    const find = (words: string) =>
      tab.evaluate(`(() => {
        const field = document.querySelector('.find input')
        field.value = '${words}'
        field.dispatchEvent(new Event('input'))
      })()`)
    const ids = (which: string) =>
      tab.evaluate<string[]>(`[...document.querySelectorAll('${which}')].map(({ id }) => id)`)
    const shown = 'article:not([hidden])'
    const all = await ids(shown)
    expect(all.length).toBeGreaterThan(40)
    expect(await ids('article:has(> details[open])')).toEqual([])
    await find('TICKET  stream')
    const tickets = ['prices', 'events', 'predictions'].map((stream) => `${stream}_create_stream_ticket`)
    expect(await ids(shown)).toEqual(tickets)
    const links = `[...document.querySelectorAll('.contents .operation')].filter((link) => link.offsetParent !== null).length`
    expect(await tab.evaluate(links)).toBe(tickets.length)
    expect(await ids('article:has(> details[open])')).toEqual([])
    await find('events_create')
    expect(await ids(shown)).toEqual(tickets.slice(1, 2))
    expect(await ids('article:has(> details[open])')).toEqual(tickets.slice(1, 2))
    expect(await tab.evaluate('document.querySelector(".find small").textContent')).toBe(
      `1 of ${all.length} operations have these words.`,
    )
    expect(await tab.evaluate('[...document.querySelectorAll("h2.tag")].filter((one) => !one.hidden).length')).toBe(1)
    const address = await tab.evaluate<string>('location.href')
    expect(address).toBe(`${base}/docs?find=events_create`)
    await tab.open(address)
    expect(await ids(shown)).toEqual(tickets.slice(1, 2))
    await find('')
    expect(await ids(shown)).toEqual(all)

    await tab.open(`${base}/docs?find=#panel_get`)
    expect(await ids('article:has(> details[open])')).toEqual(['panel_get'])
    // A link within the page, also to what was not found.
    await find('events_create')
    await tab.evaluate(`document.querySelector('.contents [href="#search"]').click()`)
    expect(await ids('article:has(> details[open])')).toContain('search')
    expect(await ids(shown)).toEqual(all)
    await tab.evaluate('for (const one of document.querySelectorAll("article > details")) one.open = true')
    expect(await axeFaults(tab)).toEqual([])
    await expectWithinEdges(tab, 'the reference with all operations open')
  })

  it('let an operator in with the token as password, and run a job with its button', async () => {
    await tab.view({ width: DESK })
    expect(await tab.open(jobsPage())).toBe(200)
    const row = await tab.evaluate<string>('document.querySelector("tbody tr").textContent')
    expect(row).toContain('failed, took 2.2 s, next attempt at 2026-06-01 12:01')
    await tab.leave(() => tab.evaluate('document.querySelector("button").click()'))
    expect(triggered).toEqual(['oecd/DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD'])
    expect(await tab.evaluate('location.pathname')).toBe('/jobs')
  })

  it('show operators the overview again every ten seconds, and leave them where they are', async () => {
    const operator = await browser.newTab()
    await operator.prepare('window.setInterval = (task, ms) => { window.readAgain = task; window.everyMs = ms }')
    await operator.view({ width: DESK })
    await operator.open(overviewAddress())
    const read = () => operator.evaluate<string>('readAgain().then(() => document.querySelector("main").textContent)')
    expect(await operator.evaluate('everyMs')).toBe(10_000)
    await operator.evaluate(`document.querySelector('summary').focus(), document.querySelector('details').open = true`)
    const { alerts, ...well } = busyOverview()
    shown = () => ({
      ...well,
      verdict: 'concerns',
      at: well.at + 10_000,
      alerts: alerts.map((one) => ({ ...one, state: 'quiet', cases: [] })),
    })
    expect(await read()).toMatch(/No alert fires.*As of 2026-06-01 13:00:10/s)
    expect(await operator.evaluate('document.title')).toBe('No alert fires · Almanac')
    expect(await operator.evaluate('document.querySelector("details").open')).toBe(true)
    expect(await operator.evaluate('document.activeElement.textContent')).toBe('All 11 alerts of the shipped rules')

    const paused = () => operator.evaluate<string>('document.querySelector(".refresh").textContent')
    const select = (what: string) =>
      operator.evaluate(`new Promise((told) => {
      document.addEventListener('selectionchange', told, { once: true })
      ${what}
    }).then(() => undefined)`)
    await select('getSelection().selectAllChildren(document.querySelector("h1"))')
    const later = shown
    shown = busyOverview
    expect(await read()).toContain('No alert fires')
    expect(await paused()).toContain('Refresh every 10 s, paused while text is selected')
    await select('getSelection().removeAllRanges()')
    expect(await paused()).not.toContain('paused')
    shown = later
    expect(await read()).toContain('No alert fires')

    shown = () => undefined
    expect(await read()).toMatch(/13:00:10.*No answer since \d\d:\d\d:\d\d: what is shown is from before/s)
    await operator.evaluate('document.querySelector(".refresh input").click()')
    shown = busyOverview
    expect(await read()).toContain('No answer since')
    await operator.evaluate('document.querySelector(".refresh input").click()')
    const again = await read()
    expect(again).toContain('One alert fires')
    expect(again).not.toContain('No answer since')
  })

  it.each([
    ['which projection lags', 'Users’ projections', /user_gdp\s*90,000/],
    ['who used the quota up', 'Quota of the month', /key_A.*5,000.*used up/s],
    ['why a source is old', 'Sources', /ecb\s*2026-05-27 13:00.*failed.*attempt 3.*2026-06-01 13:04/s],
    ['when the last backup was', 'Backup and archive', /Last backup\s*2026-06-01 12:00, 1 hour ago, complete/],
    ['which alerts fire', 'Alerts that would fire', /warning\s*quotes is 6000 offsets behind/],
  ])('tell an operator with a telephone and one click %s', async (_task, title, answer) => {
    await tab.view({ width: PHONE })
    await tab.open(overviewAddress())
    const text = await tab.evaluate<string>(`(async () => {
      ;[...document.querySelectorAll('.jump a')].find((link) => link.textContent === '${title}').click()
      const section = document.querySelector(location.hash).parentElement
      const isSeen = () => section.getBoundingClientRect().top >= 0 && section.getBoundingClientRect().top < innerHeight / 2
      // The page may be too short to bring its end to the top.
      const isAtEnd = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      while (!isSeen() && !isAtEnd()) await new Promise(requestAnimationFrame)
      return section.textContent
    })()`)
    expect(text).toMatch(answer)
  })

  it('keep out an operator with another password', async () => {
    const stranger = await browser.newTab()
    const opening = stranger.open(`http://operator:wrong@${admin}/jobs`)
    await expect(opening).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS')
  })
})
