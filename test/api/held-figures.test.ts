import { describe, expect, it, vi } from 'vitest'
import { HeldSpans } from '../../api/held-spans.ts'
import { UNTIL_MS } from '../support/patience.ts'
import { testSeries } from '../support/releases.ts'
import { ask, NOW, world } from './support.ts'

const index = testSeries()
const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q' })
const exports = testSeries({ indicator: 'trade-exports', base_period: '' })
const locations = [
  'EUR-USD, 2024-01-01T00:00:00.000Z (line 2)',
  'JPN.unemployment.M.TEST, 2024-01 to 2024-09 (line 1)',
  `${volume.id}, 2021-Q2 (line 4)`,
  `${index.id}, 2023-03 (line 3)`,
  `${index.id}, 2025-01 to 2025-12 (line 1)`,
  `${exports.id}, 2022-05 (line 9)`,
]

describe('a missing figure', () => {
  const held = new HeldSpans(async () => locations)
  const detailOf = async (path: string) => {
    const { app, releases } = await world({ held })
    releases.accept(index, '2026-06', { value: '101' }, NOW)
    // A revision of it is held.
    releases.accept(index, '2025-12', { value: '100' }, NOW)
    const { problem, statusCode } = await ask(app, `/v1/economics/${path}`)
    expect(statusCode).toBe(404)
    expect(problem.code).toBe('no_complete_publication')
    return problem.detail
  }

  it.each<[what: string, path: string, text: RegExp]>([
    [
      'is held itself',
      'USA/cpi?period=2023-03',
      /Nearest: .*\. The figure of USA\.cpi\.\S+ for 2023-03 waits for review\.$/,
    ],
    [
      'is one of several',
      'USA/cpi/vintages?period=2025-03',
      / Figures of \S+ between 2025-01 and 2025-12 wait for review\.$/,
    ],
    ['is computed from it', 'USA/inflation?period=2023-03', /USA\.cpi\.\S+ for 2023-03 waits/],
    ['is compared with it a month later', 'USA/inflation?period=2023-04', /USA\.cpi\.\S+ for 2023-03 waits/],
    ['is compared with it a year later', 'USA/inflation/vintages?period=2024-03', /USA\.cpi\.\S+ for 2023-03 waits/],
    ['is a growth a year later', 'USA/gdp-growth?period=2022-Q2', /USA\.gdp-volume\.\S+ for 2021-Q2 waits/],
    ['is the total of its year', 'USA/trade/exports?period=2022', /USA\.trade-exports\.\S+ for 2022-05 waits/],
    ['is the balance of its year', 'USA/trade?period=2022', /USA\.trade-exports\.\S+ for 2022-05 waits/],
    ['is all of a country', 'JPN/unemployment', /JPN\.unemployment\.\S+ between 2024-01 and 2024-09 wait/],
  ])('that %s is said to wait for review', async (_, path, text) => expect(await detailOf(path)).toMatch(text))

  it.each([
    ['of another period', 'USA/cpi?period=2024-07'],
    ['of which the base is served, though a revision of that waits', 'USA/inflation?period=2026-12'],
    ['of a quarter, where months are held', 'JPN/unemployment?period=2024-Q1'],
    ['of another indicator', 'USA/gdp?period=2021-Q2'],
    ['of another country', 'DEU/unemployment'],
    ['that is not public', 'CHE/trade/exports?period=2022-05'],
  ])('%s is not', async (_, path) => expect(await detailOf(path)).not.toContain('review'))
})

describe('what waits for review', () => {
  it('is said as far as it is known while the read models are away, or do not answer', async () => {
    for (const away of [() => Promise.reject(new Error('no store')), () => new Promise<never>(() => undefined)]) {
      const { app } = await world({ held: new HeldSpans(away) })
      const { problem } = await ask(app, '/v1/economics/USA/cpi?period=1999-01')
      expect(problem.detail).toContain('is not published for 1999-01')
    }
  })

  it('is read once for all that ask at the same time, and again after a while', async () => {
    const read = vi.fn(async () => locations)
    const held = new HeldSpans(read)
    await Promise.all([held.spans(), held.spans(), held.spans()])
    expect(await held.spans()).toHaveLength(locations.length - 1)
    expect(read).toHaveBeenCalledTimes(1)
    await vi.waitUntil(async () => (await held.spans()) && read.mock.calls.length > 1, { timeout: UNTIL_MS })
  })
})
