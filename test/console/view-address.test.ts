import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readViewAddress, viewAddress, viewNames } from '../../console/browser/view-address.js'

it('a link says what the page shows', () => {
  expect(readViewAddress('?view=indicators&country=USA&indicator=gdp&as_of=2009-01-30&show=triangle')).toEqual({
    view: 'indicators',
    params: { country: 'USA', indicator: 'gdp', as_of: '2009-01-30', show: 'triangle' },
  })
  expect(readViewAddress('')).toEqual({ view: 'start', params: {} })
})

it.each([
  ['a view that there is not', '?view=admin&country=USA', { view: 'start', params: {} }],
  ['a parameter of another view', '?view=prices&country=USA&base=EUR', { view: 'prices', params: { base: 'EUR' } }],
  ['a value of another form', '?view=why&release=<script>', { view: 'why', params: {} }],
  ['a place that is neither sequence nor time', '?view=journal&start=12a', { view: 'journal', params: {} }],
  ['a key', '?view=prices&key=alm_live_x&in=EUR', { view: 'prices', params: { in: 'EUR' } }],
])('%s is left out', (_name, search, state) => expect(readViewAddress(search)).toEqual(state))

it('equal states have one address, whatever the order of their parameters', () => {
  const address = '/?view=journal&start=2026-11-23T01:56:00Z&country=USA,DEU'
  expect(viewAddress('journal', { country: 'USA,DEU', start: '2026-11-23T01:56:00Z', family: undefined })).toBe(address)
  expect(viewAddress('start')).toBe('/')
})

it('what an address says is read back, for any text as a parameter', () => {
  const params = fc.dictionary(
    fc.constantFrom('country', 'indicator', 'start', 'cursor', 'symbol', 'release'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.constantFrom(...viewNames), params, (view, given) => {
      const state = readViewAddress(viewAddress(view, given).replace(/^\//, ''))
      expect(state.view).toBe(view)
      expect(readViewAddress(viewAddress(view, state.params).slice(1))).toEqual(state)
    }),
  )
})
