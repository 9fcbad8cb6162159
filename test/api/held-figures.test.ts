import { expect, it } from 'vitest'
import { testSeries } from '../support/releases.ts'
import { ask, NOW, world } from './support.ts'

const index = testSeries()
const locations = [`${index.id}, 2026-07 (line 7)`, `${index.id}, 2025-01 to 2025-12 (line 1)`]

it('says that a missing figure, or what it is computed from, waits for review', async () => {
  const asked: string[][] = []
  const held = {
    locations: async (starts: readonly string[]) => {
      asked.push([...starts])
      return locations.filter((location) => starts.some((start) => location.startsWith(start)))
    },
  }
  const { app, releases } = await world({ held })
  releases.accept(index, '2026-06', { value: '101' }, NOW)
  const detailOf = async (path: string) => {
    const { problem, statusCode } = await ask(app, `/v1/economics/USA/${path}`)
    expect(statusCode).toBe(404)
    expect(problem.code).toBe('no_complete_publication')
    return problem.detail
  }
  expect(await detailOf('cpi?period=2026-07')).toMatch(
    /Nearest: .*\. The figure of USA\.cpi\.\S+ for 2026-07 waits for review\.$/,
  )
  expect(await detailOf('cpi/vintages?period=2025-03')).toMatch(
    / Figures of \S+ from 2025-01 to 2025-12 wait for review\.$/,
  )
  expect(await detailOf('inflation?period=2026-07')).toMatch(
    / The figure of USA\.cpi\.\S+ for 2026-07 waits for review\.$/,
  )
  expect(await detailOf('cpi?period=2024-07')).not.toContain('review')
  expect(asked[2]).toEqual(['USA.inflation.', 'USA.cpi.'])
})

it('says what it knows while the read models cannot be reached', async () => {
  const { app } = await world({ held: { locations: () => Promise.reject(new Error('no store')) } })
  expect((await ask(app, '/v1/economics/USA/cpi?period=1999-01')).problem.detail).toContain(
    'is not published for 1999-01',
  )
})
