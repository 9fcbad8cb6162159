import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventPage } from '../../contracts/events.ts'
import type { Usage } from '../../contracts/resources.ts'
import { type Browser, hasNoBrowser, openBrowser, type Tab } from '../support/browser.ts'
import { runCommand } from '../support/command.ts'
import { openWithKey, pasteKey, textOf, untilIn, WITNESS } from '../support/console-tab.ts'
import { startSample } from '../support/demo.ts'
import { DESK, everyView, expectFaultless, expectWithinEdges, NARROW } from '../support/page-faults.ts'
import type { Service } from '../support/service.ts'
import { expectRangeByDrag } from './console-brush.ts'
import { expectListWeekAndMonth, expectReasonBelowTitle } from './console-calendar.ts'
import { expectDaysAndChanges, expectSameOnEveryWayOut } from './console-compare.ts'
import {
  expectGroupOfPrices,
  expectLineInEveryRow,
  expectNothingServed,
  expectOutageFolded,
  expectPricesBesideOpenStreams,
  expectPricesWithoutStream,
} from './console-prices.ts'

/** The console as a person uses it: a real browser on the real service, from the pasted key to the hash of a document. */
const journey = describe.skipIf(hasNoBrowser)

journey('the console', () => {
  let dataDir: string
  let service: Service
  let browser: Browser
  let tab: Tab
  let key: string
  let freeKey: string

  const until = <T>(expression: string, own = tab) => untilIn<T>(own, expression)
  const text = (selector: string, own = tab) => textOf(own, selector)
  const tabWithKey = (pasted = key) => openWithKey(browser, service.base, pasted)
  /** Ingests a made-up unemployment rate of Iceland, of which the sample has none. */
  const ingestRate = async (period: string, rate: string) => {
    const head = `almanac: figures 1
source: TEST
dataset: T1
publisher: Test office
licence: none
url: file:own
indicator: unemployment
country: ISL
unit: percent
seasonal_adjustment: not_seasonally_adjusted`
    const file = join(dataDir, 'own.csv')
    await writeFile(file, `${head.replace(/^/gm, '# ')}\nperiod,rate\n${period},${rate}\n`)
    expect((await runCommand(['ingest', 'file', file], { ALMANAC_DATA_DIR: dataDir })).code).toBe(0)
  }
  const rest = async <T>(path: string): Promise<T> => {
    const answer = await fetch(service.base + path, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status, path).toBe(200)
    return (await answer.json()) as T
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-console-'))
    service = await startSample(dataDir)
    const keys = await service.keys()
    key = keys.pro
    freeKey = keys.free
    browser = await openBrowser()
    tab = await browser.newTab()
    await tab.prepare(WITNESS)
    await tab.view({ width: DESK })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('takes a key, says what is wrong with one that is refused, and shows prices that move', async () => {
    await tab.open(`${service.base}/`)
    await pasteKey(tab, `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)
    expect(await text('.key-form .refused')).toContain('key')
    await pasteKey(tab, key)
    await until(`location.search === '?view=prices'`)
    const price = `document.querySelector('.commodities td.price').textContent`
    const first = await until<string>(`/\\d/.test(${price}) && ${price}`)
    await until(`${price} !== ${JSON.stringify(first)}`)
    expect(await text('.stream-state')).toBe('Live. Simulated prices, not real ones')
    expect(await text('.session')).toBe('simulated')
    await until(`document.querySelectorAll('.quotes td.price').length === 66`)
    await until(`[...document.querySelectorAll('.quotes td.price')].every((cell) => /\\d/.test(cell.textContent))`)
    await until(`document.querySelector('.spark path').getAttribute('d').includes('L')`)
  })

  it('keeps the key in this tab alone', async () => {
    expect(await tab.evaluate(`document.documentElement.outerHTML.includes('${key}')`)).toBe(false)
    expect(await tab.evaluate('location.href + document.cookie + JSON.stringify(localStorage)')).not.toContain(key)
    const other = await browser.newTab()
    await other.open(`${service.base}/?view=prices`)
    expect(await text('.view h1', other)).toBe('Prices')
    expect(await other.evaluate(`document.querySelector('#api-key') !== null`)).toBe(true)
  })

  it('draws a plot whose link shows the same to anyone, with its files beside it', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=gdp&start=2005&end=2011`)
    await until(`document.querySelector('.plot canvas') !== null`)
    const newest = await text('.vintage output')
    await tab.evaluate(`(() => {
      const slider = document.querySelector('#vintage')
      slider.valueAsNumber = 40
      slider.dispatchEvent(new Event('input'))
      const cursor = document.querySelector('.plot-cursor')
      for (const key of ['Home', 'ArrowRight', 'ArrowRight'])
        cursor.dispatchEvent(new KeyboardEvent('keydown', { key }))
    })()`)
    expect(await text('.vintage output')).not.toBe(newest)
    const said = `document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`
    const cursor = await tab.evaluate<string>(said)
    expect(cursor).toContain('Q3 2005')
    const link = await tab.evaluate<string>('location.href')
    expect(link).toMatch(/as_of=\d{4}-\d\d-\d\d&period=2005-Q3$/)

    const other = await tabWithKey()
    await other.open(link)
    await until(`document.querySelector('.plot canvas') !== null`, other)
    expect(await other.evaluate<string>(said)).toBe(cursor)
    expect(await text('.vintage output', other)).toBe(await text('.vintage output'))

    for (const name of ['CSV', 'JSON', 'SVG']) {
      await tab.evaluate(
        `[...document.querySelectorAll('.files button')].find(({ textContent }) => textContent === '${name}').click()`,
      )
    }
    const files = await until<{ type: string; text: string }[]>('saved.length === 3 && saved')
    // The range that is shown, and nothing else.
    const csv = await fetch(`${service.base}/v1/economics/USA/gdp/vintages?format=csv&start=2005&end=2011`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(files.map(({ type }) => type)).toEqual(['text/csv', 'application/json', 'image/svg+xml'])
    expect(files[0]?.text).toBe(await csv.text())
    expect(JSON.parse(files[1]?.text ?? '')).toContainEqual(expect.objectContaining({ period: '2005-Q3' }))
    expect(files[2]?.text).toContain('<svg xmlns=')
    expect(files[2]?.text).toContain('>Q1 2005</text>')
    expect(files[2]?.text).toMatch(/As known on \d+ \w{3} \d{4} \(red\) and on \d+ \w{3} \d{4} \(black\)/)
  })

  it('compares three countries by words and keys alone, and passes on exactly what it shows', () =>
    expectSameOnEveryWayOut({ tab, base: service.base, key, other: tabWithKey }))

  it('shows all figures of a comparison as they were known on a day, and as changes', () =>
    expectDaysAndChanges({ tab, base: service.base, key }))

  it('draws nothing where the address names what there is not, and says what is near', async () => {
    for (const [query, said] of [
      ['country=TUR&indicator=cpi', 'cpi of TUR (Türkiye) is not on record.'],
      ['country=USA&indicator=jobless', 'There is no indicator jobless.'],
      ['country=Germany&indicator=cpi', 'country is “Germany”, and takes a country of three letters, such as DEU.'],
      ['country=USA&indicator=cpi&period=2099-01', 'period is 2099-01, which has no figure here.'],
      ['country=USA&indicator=cpi&start=yesterday', 'start is “yesterday”, and takes a year, quarter or month'],
    ]) {
      await tab.open(`${service.base}/?view=indicators&${query}`)
      expect(await text('.view .refused')).toContain(said)
      expect(await tab.evaluate(`document.querySelector('.plot') === null`)).toBe(true)
    }
    await tab.open(`${service.base}/?view=foo`)
    expect(await text('.view .refused')).toContain('view is “foo”, and takes one of start, prices, indicators')
    // The nearest are links.
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=gdb`)
    await until(`document.querySelector('.view .refused a') !== null`)
    await tab.evaluate(`document.querySelector('.view .refused a').click()`)
    await until(`document.querySelector('.plot canvas') !== null`)
  })

  it('names every publisher of a plot, and leaves a gap where there is no figure', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=trade`)
    await until(`document.querySelector('.plot canvas') !== null`)
    const lines = await tab.evaluate<string[]>(
      `[...document.querySelectorAll('.series-line')].map(({ textContent }) => textContent)`,
    )
    expect(lines).toHaveLength(4)
    expect(lines[2]).toMatch(/^(?:nothing newer for \d+ months|\w+ 2026 expected about )/)
    expect(lines[3]).toMatch(/^Also published: annual figures, to \d{4}$/)
    expect(lines[0]).toMatch(/^Jan 2000 to Jan 2026 · U\.S\. Census Bureau/)
    expect(lines[1]).toMatch(/^Feb 2026 to Jun 2026 · .*FRED/)
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=inflation&period=2025-10`)
    await until(`document.querySelector('.plot canvas') !== null`)
    expect(await tab.evaluate(`document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`)).toBe(
      'Oct 2025: no figure',
    )
  })

  it('chooses a range of a plot by a drag of the mouse or of a finger, which still scrolls the page', async () =>
    expectRangeByDrag(await tabWithKey(), service.base))

  it('shows a period of another frequency than that of the latest figure', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=unemployment&period=2020-Q2`)
    await until(`document.querySelector('.plot canvas') !== null`)
    const said = await tab.evaluate<string>(`document.querySelector('.plot-cursor').getAttribute('aria-valuetext')`)
    expect(said).toMatch(/^Q2 2020: /)
  })

  it('leads to the figures of another frequency, by a link and by the address', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=unemployment`)
    await until(`document.querySelector('.plot canvas') !== null`)
    await tab.evaluate(
      `[...document.querySelectorAll('.series-line a')].find((link) => link.textContent.startsWith('quarterly')).click()`,
    )
    await until(`/^Q\\d /.test(document.querySelector('.plot-cursor')?.getAttribute('aria-valuetext') ?? '')`)
    expect(await tab.evaluate('location.search')).toContain('frequency=Q')
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=cpi&frequency=Q`)
    expect(await text('.view .refused')).toContain('cpi of USA is not published with the frequency Q.')
  })

  it('shows the revisions as a triangle with a cursor on both axes', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=gdp&show=triangle&period=2009-Q1`)
    await until(`document.querySelector('canvas.triangle')?.width > 0`)
    expect(await text('.readout')).toContain('against the first print')
    await tab.evaluate(`(() => {
      const slider = document.querySelector('#vintage')
      slider.valueAsNumber = 0
      slider.dispatchEvent(new Event('input'))
    })()`)
    expect(await text('.readout')).toContain('was not published yet')
    // The canvas is not empty: some pixel of the middle of its lower half has a colour.
    expect(
      await tab.evaluate(`(() => {
        const canvas = document.querySelector('canvas.triangle')
        return canvas.getContext('2d').getImageData(canvas.width / 4, canvas.height * 0.7, 1, 1).data[3]
      })()`),
    ).toBe(255)
  })

  it('says why a figure is what it is, down to the hash of its document', async () => {
    await tab.open(`${service.base}/?view=indicators&country=USA&indicator=gdp&period=2009-Q1`)
    await until(`document.querySelector('.prints a') !== null`)
    await tab.evaluate(`document.querySelector('.prints a').click()`)
    const hash = await text('.hash')
    const id = await tab.evaluate<string>(`new URLSearchParams(location.search).get('release')`)
    const release = await rest<{ provenance: { sha256: string }; figures: { value: string } }>(`/v1/releases/${id}`)
    expect(hash).toBe(release.provenance.sha256)
    expect((await text('.figures b')).replace(/\D/g, '')).toBe(release.figures.value)
  })

  it('unfolds a derived figure to the documents of its inputs', async () => {
    const answer = await fetch(`${service.base}/v1/economics/USA/inflation`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const id = /rel_\w+/.exec(answer.headers.get('link') ?? '')?.[0]
    await tab.open(`${service.base}/?view=why&release=${id}`)
    await until(`document.querySelector('.pedigree summary') !== null`)
    expect(await text('[aria-labelledby=origin] p')).toBe('Inflation, computed by this service from:')
    expect(await text('.pedigree summary')).toMatch(/^Consumer price index, \w{3} \d{4}: /)
    await tab.evaluate(`document.querySelector('.pedigree details').open = true`)
    expect(await text('.pedigree .hash')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('goes to any place of the journal, and shows its decimals as they were printed', async () => {
    const query = 'type=economics.release.revised&country=USA&family=output'
    const { events } = await rest<EventPage>(`/v1/events?${query}&limit=1`)
    const [event] = events
    if (!event) throw new Error('the sample has no revision')
    const sequence = String(Number(event.sequence))
    for (const [place, first] of [
      [sequence, sequence],
      [event.time, undefined],
      [event.cursor, String(Number(event.sequence) + 1)],
    ] as const) {
      await tab.open(`${service.base}/?view=journal`)
      await until(`document.querySelector('.journal-table tbody') !== null`)
      await tab.evaluate(`document.querySelector('#seek').value = '${place}'`)
      await tab.evaluate(`document.querySelector('.seek').requestSubmit()`)
      await until(`location.search.includes('start=') || location.search.includes('cursor=')`)
      const shown = await text('.journal-table th button')
      if (first !== undefined) expect(shown).toBe(first)
      else expect(Number(shown)).toBeLessThanOrEqual(Number(sequence))
    }
    await tab.open(`${service.base}/?view=journal&start=${sequence}&${query}`)
    expect(await text('.event-figures')).toContain(String(event.data.value))
    await tab.evaluate(`document.querySelector('.journal-table th button').click()`)
    expect(JSON.parse(await text('.event-detail pre'))).toMatchObject({ id: event.id, data: event.data })
  })

  it('follows the journal live with its filter, and loses nothing while it is paused', async () => {
    const subjects = `[...document.querySelectorAll('.journal-table .subject')].map(({ title }) => title)`
    const press = (label: string) =>
      tab.evaluate(
        `[...document.querySelectorAll('.pager button')].find(({ textContent }) => textContent === '${label}').click()`,
      )
    await tab.open(`${service.base}/?view=journal&country=ISL`)
    await until(`document.querySelector('.stream-state')?.dataset.phase === 'live'`)
    expect(await text('.events .lead')).toContain('No event on record matches')
    await ingestRate('2025-01', '3.4')
    await until(`${subjects}.join() === 'ISL/unemployment/2025-01'`)
    expect(await text('.pager .delay')).toBe('1 new since this page was opened')

    const openStreams = async () => (await rest<Usage>('/v1/usage')).streams_open
    const openBefore = await openStreams()
    await press('Pause')
    expect(await text('.stream-state')).toContain('Paused')
    await expect.poll(openStreams).toBe(openBefore - 1)
    await ingestRate('2025-02', '3.5')
    await expect.poll(async () => (await rest<EventPage>('/v1/events?country=ISL')).events.length).toBe(2)
    expect(await tab.evaluate(subjects)).toEqual(['ISL/unemployment/2025-01'])
    await press('Follow')
    await until(`${subjects}.join() === 'ISL/unemployment/2025-02,ISL/unemployment/2025-01'`)

    // Opened anew, the same events come from the record, newest first.
    await tab.open(`${service.base}/?view=journal&country=ISL`)
    await until(`${subjects}.join() === 'ISL/unemployment/2025-02,ISL/unemployment/2025-01'`)
  })

  it('goes to a country without the indicator that is shown, and names what it has', async () => {
    const choose = async () => {
      // The catalogue without the country, which the browser keeps for a minute.
      await tab.forgetAnswers()
      await tab.open(`${service.base}/?view=indicators&country=USA&indicator=cpi`)
      await until(`document.querySelector('.plot canvas') !== null`)
      return tab.evaluate(`(() => {
        const countries = [...document.querySelectorAll('.controls select')].find((one) => one.value === 'USA')
        countries.value = 'ISL'
        countries.dispatchEvent(new Event('change'))
        return countries.value === 'ISL'
      })()`)
    }
    await expect.poll(choose).toBe(true)
    await until(`location.search.startsWith('?view=indicators&country=ISL&indicator=unemployment')`)
    expect(await text('.plot-title')).toContain('Iceland: Unemployment rate')

    await tab.open(`${service.base}/?view=indicators&country=ISL&indicator=cpi`)
    expect(await text('.note.refused a')).toBe('unemployment')
  })

  it('marks the candle that is unfinished, in words too', async () => {
    // The page asks once, and after a start the first candles take some seconds.
    type Candles = { readonly candles: readonly unknown[] }
    const recorded = async () => (await rest<Candles>('/v1/prices/XAU-USD/candles?interval=1M')).candles.length
    await expect.poll(recorded).toBeGreaterThan(1)
    await tab.open(`${service.base}/?view=prices&symbol=XAU-USD&interval=1M`)
    expect(await text('.detail .readout')).toMatch(/ {2}unfinished$/)
    expect(await text('.detail .legend')).toMatch(/unfinished: it may change until 1 \w{3} \d{4} 00:00 UTC$/)
    await tab.evaluate(`document.querySelector('.detail .data summary').click()`)
    const starts = await until<string[]>(`(() => {
      const cells = [...document.querySelectorAll('.detail .data tbody th')].map(({ textContent }) => textContent)
      return cells.length > 1 && cells
    })()`)
    expect(starts.filter((start) => start.endsWith(', unfinished'))).toEqual(starts.slice(-1))
  })

  it('tells a key of a plan without the prices stream what to do', async () => {
    const own = await tabWithKey(freeKey)
    await until(`document.querySelector('.stream-state').dataset.phase === 'refused'`, own)
    expect(await text('.stream-state', own)).toContain('plan')
    expect(await own.evaluate(`document.querySelector('.stream-state a').getAttribute('href')`)).toBe(
      '/problems/plan_upgrade_required',
    )
    await expectPricesWithoutStream(own)
  })

  it('shows prices where other programs have all streams of the account open, and says so', async () => {
    const { basic } = await service.keys()
    await expectPricesBesideOpenStreams({ key: basic, streams: service.streams, open: () => tabWithKey(basic) })
  })

  it('shows the last day of every row of the price board, for one call', async () =>
    expectLineInEveryRow(await tabWithKey(), service.base))

  it('shows a group of prices with its last hours, for few calls', async () =>
    expectGroupOfPrices(await tabWithKey(), service.base))

  it('calls no prices live that do not come, and says why', async () =>
    expectNothingServed(await tabWithKey(), service.base))

  it('folds the events of an outage, and finds them by words', async () =>
    expectOutageFolded(await tabWithKey(), service.base))

  it('connects again when the streams come back', async () => {
    await tab.open(`${service.base}/?view=prices`)
    await until(`document.querySelector('.stream-state').dataset.phase === 'live'`)
    const streams = service.processes().find(({ name }) => name.includes('streams'))
    if (!streams) throw new Error('no streams process')
    service.kill(streams.pid)
    await until(`document.querySelector('.stream-state').dataset.phase !== 'live'`)
    await until(`document.querySelector('.stream-state').dataset.phase === 'live'`)
  })

  it('shows a cancelled release with its reason, which covers nothing on a telephone', async () => {
    const args = ['calendar', 'cancel', 'USA', 'cpi', '2026-10', '--reason', 'Not collected']
    expect((await runCommand(args, { ALMANAC_DATA_DIR: dataDir })).code).toBe(0)
    await expectReasonBelowTitle(await tabWithKey(), service.base)
  })

  it('shows the calendar as a list of what is coming, as a week and as a month, each at an address', async () =>
    expectListWeekAndMonth(await tabWithKey(), service.base))

  const views = [
    '/',
    '/?view=prices',
    '/?view=prices&symbol=XAU-USD&interval=1m',
    '/?view=indicators&country=USA&indicator=gdp&as_of=2009-01-30',
    '/?view=indicators&country=USA&indicator=gdp&show=triangle',
    '/?view=catalogue',
    '/?view=catalogue&find=germany&show=all',
    '/?view=compare&series=USA.gdp,USA.unemployment,GBR.unemployment&as_of=2020-01-30',
    '/?view=calendar',
    '/?view=calendar&show=week&on=2026-07-01',
    '/?view=calendar&show=month&on=2026-07-01',
    '/?view=journal',
    '/?view=why',
    '/?view=service',
  ]
  it.each(views)(
    'has no fault that axe knows, nor anything beyond the edge, in any theme and width: %s',
    async (path) => {
      for (const view of everyView) {
        await tab.view(view)
        await tab.open(service.base + path)
        await until(`document.querySelector('.waiting') === null`)
        await until(`document.querySelector('.stream-state')?.dataset.phase !== 'connecting'`)
        for (const details of ['.chooser', '.data']) {
          await tab.evaluate(`document.querySelector('${details} summary')?.click()`)
        }
        await expectFaultless(tab, `${path} ${JSON.stringify(view)}`)
        expect(await tab.evaluate('violations'), path).toEqual([])
        const strange = `performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin)
        .filter((origin) => origin !== location.origin)`
        expect(await tab.evaluate(strange), path).toEqual([])
      }
      await tab.view({ width: NARROW })
      await expectWithinEdges(tab, `${path} at ${NARROW}`)
    },
  )
})
