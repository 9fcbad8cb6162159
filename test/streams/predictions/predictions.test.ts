import { describe, expect, it, onTestFinished } from 'vitest'
import { countryByAlpha3 } from '../../../contracts/countries.ts'
import type { Prediction } from '../../../contracts/resources.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { predictionsStream } from '../../../streams/predictions/index.ts'
import { isRefusal, type Outlet } from '../../../streams/stream.ts'
import { openTestJournal, until } from '../../support/journal.ts'

const prediction = (country: string, indicator: string, value: string): Prediction => ({
  country,
  indicator,
  figure: 'value',
  period: '2026-10',
  value,
  lower: '1',
  upper: '999',
  unit: 'index',
  method: 'seasonal_naive_drift',
  computed: true,
  made_at: '2026-11-01T00:00:00.000Z',
  scored: null,
})

const AT = Date.parse('2026-11-01T00:00:00Z')
const append = (journal: TypedJournal, ...predictions: readonly Prediction[]) =>
  journal.append(
    'predictions',
    0,
    predictions.map((value) => ({ value, id: `${value.country} ${value.indicator} ${value.value}`, at: AT })),
  )

/** Takes frames until it has `room` of them, then says that it is behind. Sending to it after that is a fault. */
function outletWith(room = Number.POSITIVE_INFINITY) {
  const frames: Uint8Array[] = []
  let left = room
  let corked = false
  let corks = 0
  const outlet: Outlet = {
    send(frame) {
      expect(corked).toBe(true)
      if (left <= 0) throw new Error('sent to an outlet that is behind')
      frames.push(frame)
      left -= 1
      return left > 0
    },
    cork(write) {
      corks++
      corked = true
      write()
      corked = false
    },
    fail(code) {
      throw new Error(code)
    },
  }
  const texts = () => frames.map((frame) => JSON.parse(Buffer.from(frame).toString()))
  return {
    outlet,
    frames,
    texts,
    corks: () => corks,
    makeRoom(more: number) {
      left = more
    },
    /** `USA.cpi=3` of each prediction sent. */
    values: () => texts().flatMap(({ prediction: p }) => (p ? [`${p.country}.${p.indicator}=${p.value}`] : [])),
  }
}

async function openStream() {
  const { journal } = await openTestJournal()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return { journal, stop, start: () => predictionsStream({ journal, signal: stop.signal }) }
}
const subscribe = (stream: ReturnType<typeof predictionsStream>, filter: object) => {
  const read = stream.read({ action: 'subscribe', ...filter }, 'free')
  if (isRefusal(read)) throw new Error(read.detail)
  return read
}

describe('the predictions stream', () => {
  it('sends the current prediction of each match in one go, then each as it changes', async () => {
    const { journal, start } = await openStream()
    await append(journal, prediction('USA', 'cpi', '1'), prediction('USA', 'gdp', '2'), prediction('CAN', 'cpi', '3'))
    await append(journal, prediction('USA', 'cpi', '4'))
    const stream = start()
    expect(stream.isAvailable()).toBe(false)
    await stream.caughtUp
    expect(stream.isAvailable()).toBe(true)
    expect(stream.asOf()).toBe('2026-11-01T00:00:00.000Z')

    const [all, usa, none] = [outletWith(), outletWith(), outletWith()]
    stream.attach(all.outlet, subscribe(stream, {}))
    stream.attach(usa.outlet, subscribe(stream, { countries: ['USA'], indicators: ['cpi', 'trade'] }))
    stream.attach(none.outlet, subscribe(stream, { countries: [] }))
    expect(all.texts()[0]).toEqual({ type: 'subscribed' })
    expect(all.texts()).toContainEqual({ type: 'prediction', prediction: prediction('USA', 'cpi', '4') })
    expect(all.values().sort()).toEqual(['CAN.cpi=3', 'USA.cpi=4', 'USA.gdp=2'])
    expect(all.corks()).toBe(1)
    expect(usa.values()).toEqual(['USA.cpi=4'])
    expect(none.texts()).toEqual([{ type: 'subscribed' }])

    await append(journal, prediction('USA', 'trade', '5'), prediction('CAN', 'cpi', '6'))
    await until('changes are sent', () => all.values().length === 5)
    expect(usa.values()).toEqual(['USA.cpi=4', 'USA.trade=5'])
    expect(none.values()).toEqual([])
    // Encoded once: the very same bytes go to both.
    expect(all.frames).toContain(usa.frames.at(-1))
  })

  it('keeps for a client that is behind no more than which keys changed, and sends the newest of each', async () => {
    const { journal, start } = await openStream()
    await append(journal, prediction('USA', 'cpi', '0'))
    const stream = start()
    await stream.caughtUp
    const [slow, quick] = [outletWith(1), outletWith()]
    const feed = stream.attach(slow.outlet, subscribe(stream, {}))
    stream.attach(quick.outlet, subscribe(stream, {}))
    expect(slow.texts()).toEqual([{ type: 'subscribed' }])
    for (let round = 1; round <= 5; round++) {
      await append(journal, prediction('USA', 'cpi', String(round)), prediction('CAN', 'cpi', String(round)))
      await until('the quick one has it', () => quick.values().includes(`CAN.cpi=${round}`))
    }
    expect(slow.values()).toEqual([])
    slow.makeRoom(1)
    feed.resume()
    expect(slow.values()).toEqual(['USA.cpi=5'])
    slow.makeRoom(10)
    feed.resume()
    expect(slow.values()).toEqual(['USA.cpi=5', 'CAN.cpi=5'])
    feed.resume()
    expect(slow.values()).toHaveLength(2)
  })

  it('sends nothing to a feed that is gone', async () => {
    const { journal, start } = await openStream()
    const stream = start()
    await stream.caughtUp
    const [gone, here] = [outletWith(), outletWith()]
    const feed = stream.attach(gone.outlet, subscribe(stream, {}))
    stream.attach(here.outlet, subscribe(stream, {}))
    feed.detach()
    await append(journal, prediction('USA', 'cpi', '1'))
    await until('the other has it', () => here.values().length === 1)
    feed.resume()
    expect(gone.values()).toEqual([])
  })

  it('refuses what it does not understand, saying what and where', async () => {
    const { start } = await openStream()
    const stream = start()
    const refusal = (message: object) => stream.read({ action: 'subscribe', ...message }, 'free')
    const many = [...countryByAlpha3.keys()].slice(0, 65)
    for (const [message, refused, where] of [
      [{ countries: 'USA' }, 'invalid_frame', '/countries'],
      [{ countries: [1] }, 'invalid_frame', '/countries'],
      [{ countries: null }, 'invalid_frame', '/countries'],
      [{ countries: many }, 'invalid_frame', '/countries'],
      [{ families: ['labour'] }, 'invalid_frame', ''],
      [{ countries: ['usa'] }, 'filter_not_supported', '/countries'],
      [{ indicators: ['gdp-volume'] }, 'filter_not_supported', '/indicators'],
      [{ indicators: ['toString'] }, 'filter_not_supported', '/indicators'],
    ] as const) {
      expect(refusal(message), JSON.stringify(message)).toMatchObject({
        refused,
        detail: expect.stringContaining(where),
      })
    }
    expect(refusal({ countries: ['USA', 'USA'] })).toMatchObject({ countries: new Set(['USA']) })
    expect(refusal({ countries: many.slice(0, 64) })).toMatchObject({ indicators: null })
  })
})
