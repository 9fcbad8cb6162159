import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formText, readViewAddress, viewAddress, viewNames } from '../../console/browser/view-address.js'

const DAY = 'a day from 1900 to 2199, such as 2026-11-29'

it('a link says what the page shows', () => {
  expect(readViewAddress('?view=indicators&country=USA&indicator=gdp&as_of=2009-01-30&show=triangle')).toEqual({
    view: 'indicators',
    params: { country: 'USA', indicator: 'gdp', as_of: '2009-01-30', show: 'triangle' },
    unread: [],
  })
  expect(readViewAddress('')).toEqual({ view: 'start', params: {}, unread: [] })
})

it.each([
  ['a parameter of another view', '?view=prices&country=USA&base=EUR', { view: 'prices', params: { base: 'EUR' } }],
  ['a key', '?view=prices&key=alm_live_x&in=EUR', { view: 'prices', params: { in: 'EUR' } }],
])('%s is left out', (_name, search, state) => expect(readViewAddress(search)).toEqual({ ...state, unread: [] }))

it.each([
  [
    '?view=admin&country=USA',
    'view',
    'admin',
    'one of start, prices, indicators, catalogue, compare, calendar, journal, why, service',
  ],
  ['?view=', 'view', '', 'one of start, prices, indicators, catalogue, compare, calendar, journal, why, service'],
  ['?view=why&release=<script>', 'release', '<script>', 'the id of a release, which begins with rel_'],
  ['?view=journal&country=Germany', 'country', 'Germany', 'countries of three letters, with commas between: USA,DEU'],
  ['?view=journal&start=12a', 'start', '12a', 'a sequence or an instant: 42 or 2026-11-23T01:56:00Z'],
  ['?view=indicators&country=Germany&start=2020', 'country', 'Germany', 'a country of three letters, such as DEU'],
  ['?view=catalogue&find=a:b', 'find', 'a:b', 'words of letters and digits, such as Germany prices'],
  ['?view=catalogue&show=x', 'show', 'x', 'one of span, publisher, dates, recorded, fetched, frequencies and all'],
  ['?view=indicators&start=yesterday', 'start', 'yesterday', 'a year, quarter or month: 2020, 2020-Q2 or 2020-04'],
  ['?view=calendar&show=week&on=2026-99-99', 'on', '2026-99-99', DAY],
  ['?view=calendar&show=week&on=2026-02-31', 'on', '2026-02-31', DAY],
  ['?view=calendar&show=month&on=0000-00-00', 'on', '0000-00-00', DAY],
  ['?view=calendar&start=2100-02-29', 'start', '2100-02-29', DAY],
  ['?view=calendar&end=2100-02-29', 'end', '2100-02-29', DAY],
  ['?view=indicators&as_of=2026-13-01', 'as_of', '2026-13-01', DAY],
  ['?view=compare&as_of=1899-12-31', 'as_of', '1899-12-31', DAY],
])('what %s says and cannot be is kept apart, to be said', (search, name, value, form) => {
  const { view, params, unread } = readViewAddress(search)
  expect(unread).toEqual([{ name, value }])
  expect(params).not.toHaveProperty(name)
  expect(formText(view, name)).toBe(form)
})

it('every parameter says what it takes', () => {
  const names = [
    'in',
    'base',
    'symbol',
    'interval',
    'hide',
    'country',
    'indicator',
    'figure',
    'frequency',
    'show',
    'start',
    'end',
  ]
  for (const view of viewNames)
    for (const name of names.concat('as_of', 'period', 'release', 'status', 'cursor', 'family', 'type', 'find')) {
      const isOwn = readViewAddress(`?view=${view}&${name}=%00`).unread.length > 0
      expect(formText(view, name) !== undefined, `${view} ${name}`).toBe(isOwn)
    }
})

it.each(['1900-01-01', '2028-02-29', '2199-12-31'])('%s is a day', (on) =>
  expect(readViewAddress(`?view=calendar&on=${on}`)).toEqual({ view: 'calendar', params: { on }, unread: [] }),
)

it('equal states have one address, whatever the order of their parameters', () => {
  const address = '/?view=journal&start=2026-11-23T01:56:00Z&country=USA,DEU'
  expect(viewAddress('journal', { country: 'USA,DEU', start: '2026-11-23T01:56:00Z', family: undefined })).toBe(address)
  expect(viewAddress('start')).toBe('/')
})

it('what an address says is read back, for any text as a parameter', () => {
  const params = fc.dictionary(
    fc.constantFrom('country', 'indicator', 'start', 'cursor', 'symbol', 'release', 'find'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.constantFrom(...viewNames), params, (view, given) => {
      const state = readViewAddress(viewAddress(view, given).replace(/^\//, ''))
      expect(state.view).toBe(view)
      expect(readViewAddress(viewAddress(view, state.params).slice(1))).toEqual({ ...state, unread: [] })
    }),
  )
})
