import { expect, it } from 'vitest'
import { FetchBoard } from '../../domain/fetch-board.ts'

const at = (day: number) => `2026-11-${day}T10:00:00.000Z`
const boardOf = (...fetches: readonly (readonly [source: string, dataset: string, day: number])[]) => {
  const board = new FetchBoard()
  for (const [source, dataset, day] of fetches) board.apply({ source, dataset, fetched_at: at(day) })
  return (of: string, dataset: string) => board.lastOf({ source: of, dataset })
}

it('knows the fetch of each dataset of a source that was recorded last, whatever the clocks said', () => {
  const lastOf = boardOf(['A', 'cpi', 12], ['A', 'gdp', 11], ['B', 'cpi', 14], ['A', 'cpi', 13], ['A', 'cpi', 10])
  expect([lastOf('A', 'cpi'), lastOf('A', 'gdp'), lastOf('B', 'cpi')]).toEqual([at(10), at(11), at(14)])
  expect(lastOf('B', 'gdp')).toBeNull()
})

it('has of a series that is derived from two datasets the earlier time, and none if one is not known', () => {
  const lastOf = boardOf(['A', 'exports', 13], ['A', 'imports', 12])
  expect(lastOf('A', 'exports+imports')).toBe(at(12))
  expect(lastOf('A', 'exports+others')).toBeNull()
})
