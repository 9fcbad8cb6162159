import { describe, expect, it } from 'vitest'
import { ask, world } from './support.ts'

const detailOf = async (url: string) => {
  const { app } = await world()
  const { statusCode, problem } = await ask(app, url)
  expect([statusCode, problem?.code]).toEqual([404, 'route_not_found'])
  return problem?.detail
}

/** Address that searches for the words of a path. */
const searchOf = (path: string) => `/v1/search?q=${path.replace(/%20|\W|_/g, '+')}`

describe('a path that does not exist', () => {
  it.each([
    ['unemploymnt', 'unemployment'],
    ['trade-exports', 'trade/exports'],
    ['trade-exports/observations', 'trade/exports/observations'],
    ['gdp_growth/vintages', 'gdp-growth/vintages'],
    ['gdp/vintage', 'gdp/vintages'],
    ['jobless-rate', 'unemployment'],
    ['participation%20rate', 'labour-force-participation'],
  ])('is answered with the nearest indicator: %s', async (typed, meant) => {
    expect(await detailOf(`/v1/economics/USA/${typed}`)).toBe(
      `Nothing is served at /v1/economics/USA/${typed}. Did you mean /v1/economics/USA/${meant}? Search: ${searchOf(`USA/${typed}`)}.`,
    )
  })

  it.each([
    ['/v1/catalogue', '/v1/catalog'],
    ['/v1/catalog/county', '/v1/catalog/countries'],
    ['/v1/fx/rate/EUR', '/v1/fx/rates/EUR'],
    ['/v1/commodity/spot/XAU/USD', '/v1/commodities/spot/XAU/USD'],
  ])('is answered with the nearest path: %s', async (typed, meant) => {
    const words = searchOf(typed.slice('/v1/'.length))
    expect(await detailOf(typed)).toBe(`Nothing is served at ${typed}. Did you mean ${meant}? Search: ${words}.`)
  })

  it.each(['/v1/catalog/', '/v1/economics/USA/cpi/?period=2026-01', '/v1/prices/XAU-USD/candles//', '/v1/usage/?x=1'])(
    'is answered with the same path without a slash at the end: %s',
    async (url) => {
      const [path = ''] = url.split('?')
      expect(await detailOf(url)).toBe(`Nothing is served at ${path}. Did you mean ${path.replace(/\/+$/, '')}?`)
    },
  )

  it('is answered with all indicators if none is near', async () => {
    const detail = await detailOf('/v1/economics/USA/housing-starts')
    expect(detail).toContain('Nothing is served at /v1/economics/USA/housing-starts. Indicators: cpi, inflation, ')
    expect(detail).toContain(', trade/exports, trade/imports. Search: /v1/search?q=USA+housing+starts.')
  })

  it('is only named elsewhere, and a long one is cut', async () => {
    expect(await detailOf('/nothing')).toBe('Nothing is served at /nothing.')
    expect(await detailOf('/v1/nothing')).toBe('Nothing is served at /v1/nothing. Search: /v1/search?q=nothing.')
    expect(await detailOf('/v1/economics/USA')).toBe(
      'Nothing is served at /v1/economics/USA. Search: /v1/search?q=USA.',
    )
    expect(await detailOf(`/v1/economics/USA/${'a'.repeat(3_000)}`)).toMatch(/^.{200,600}$/)
  })

  it.each(['/v1/events/stream', '/v1/prices/stream/', '/v1/predictions/stream?ticket=x', '/v1/%65vents/stream'])(
    'and belongs to a stream is answered with the address of the stream: %s',
    async (url) => {
      const stream = /%65vents|events|prices|predictions/.exec(url)?.[0].replace('%65', 'e')
      expect(await detailOf(url)).toBe(
        `/v1/${stream}/stream is a stream: connect by WebSocket to ws://streams.test:8081/v1/${stream}/stream.`,
      )
    },
  )
})
