import { expect, it } from 'vitest'
import { readFilters } from '../../streams/filters.ts'

const isServed = {
  types: (value: string) => ['a', 'b', 'c'].includes(value),
  countries: (value: string) => ['DEU', 'USA'].includes(value),
}

it('a filter has all of its values, each once', () => {
  expect(readFilters({ types: ['b', 'a', 'b'], countries: ['USA', 'DEU'] }, isServed)).toEqual({
    types: new Set(['a', 'b']),
    countries: new Set(['DEU', 'USA']),
  })
})

it('a filter that is absent matches everything, and an empty one nothing', () => {
  expect(readFilters({ types: [] }, isServed)).toEqual({ types: new Set(), countries: null })
})

it('a value that is not served is refused, wherever it stands', () => {
  expect(readFilters({ types: ['a', 'x'] }, isServed)).toMatchObject({ detail: '/types: "x" is not served.' })
  expect(readFilters({ countries: ['DEU', 'FRA'] }, isServed)).toMatchObject({ refused: 'filter_not_supported' })
})
