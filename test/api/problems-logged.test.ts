import { describe, expect, it } from 'vitest'
import { ask, bearer, world } from './support.ts'

const cpi = '/v1/economics/USA/cpi'

describe('problems', () => {
  it('are logged where they are ours to mend, without key or query', async () => {
    const lines: string[] = []
    const log = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }))
    const served = await world({
      figures: {
        latest: () => undefined,
        at: () => fail(),
        withdrawal: () => undefined,
        partial: () => [],
        newest: () => '',
        inHistory: () => undefined,
        servedSeries: () => undefined,
        current: () => undefined,
        countries: () => [],
        periods: () => [],
        seriesOf: () => [],
        inForce: () => [],
      },
      logger: { error: log, warn: log },
    })
    await ask(served.app, { url: `${cpi}?period=2020-01`, headers: { ...bearer(), 'request-id': 'mine-12345' } })
    await ask(served.app, '/v1/economics/BRA/cpi')
    expect((await ask(served.app, '/v1/fx/rates/NOK')).problem.code).toBe('price_unavailable')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('mine-12345')
    expect(lines[0]).not.toContain('2020-01')
    expect(lines[0]).not.toContain(bearer().authorization.slice(7))
  })

  it('are logged by what they are: a fault as an error with its stack, a part that is away in a warning, no other', async () => {
    const logged: [string, string[]][] = []
    const reasons: unknown[] = []
    const log = (level: string) => (fields: object) => {
      logged.push([level, Object.keys(fields)])
      if ('reason' in fields) reasons.push(fields.reason)
    }
    const refused = Object.assign(new AggregateError([new Error('connect 127.0.0.1:1')]), { code: 'ECONNREFUSED' })
    const away = Object.assign(new Error('TEST is away', { cause: refused }), { code: 'unavailable' })
    const figures = {
      at: () => undefined,
      withdrawal: () => undefined,
      partial: () => [],
      newest: () => '',
      inHistory: () => undefined,
      servedSeries: () => undefined,
      current: () => undefined,
      countries: () => [],
      periods: () => [],
      seriesOf: () => [],
      inForce: () => [],
    }
    const logger = { error: log('error'), warn: log('warn') }
    const broken = await world({ logger, figures: { ...figures, latest: () => fail() } })
    await ask(broken.app, cpi)
    const unreachable = await world({
      logger,
      figures: {
        ...figures,
        latest: () => {
          throw away
        },
      },
    })
    await ask(unreachable.app, cpi)
    const common = ['code', 'request_id', 'method', 'path']
    expect(logged).toEqual([
      ['error', ['err', ...common]],
      ['warn', ['reason', ...common]],
    ])
    expect(reasons).toEqual(['TEST is away: ECONNREFUSED: connect 127.0.0.1:1'])
    const { app } = await world({ logger })
    const urls = ['/v1/commodities/spot/TIN/USD', '/v1/economics/USA/cpi?period=1800-01', '/nothing', `${cpi}?no=1`]
    const codes = await Promise.all(urls.map(async (url) => (await ask(app, url)).problem.code))
    expect(codes).toEqual(['price_unavailable', 'no_complete_publication', 'route_not_found', 'invalid_query'])
    expect(logged).toHaveLength(2)
  })
})

const fail = (): never => {
  throw new Error('a fault')
}
