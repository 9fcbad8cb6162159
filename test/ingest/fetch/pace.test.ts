import { expect, it } from 'vitest'
import { AskLater, get } from '../../../ingest/fetch/http.ts'
import { PublisherPace, publisherLimits } from '../../../ingest/fetch/pace.ts'
import { serve } from '../../support/http-server.ts'

it('requests wait for their turn within every limit of a host', () => {
  let now = 0
  const limits = [
    { requests: 2, seconds: 1 },
    { requests: 3, seconds: 60 },
  ]
  const pace = new PublisherPace({ host: limits }, { now: () => now })
  const take = () => pace.take('host', 5_000)
  expect([take(), take(), take()]).toEqual([0, 0, 1_000])
  // The third is counted for when it is sent; a fourth has to wait for the minute, and is not counted.
  expect([take(), take()]).toEqual([60_000, 60_000])
  now = 60_000
  expect([take(), take()]).toEqual([0, 0])
  expect(pace.take('other', 0)).toBe(0)
  expect(pace.take('constructor', 0)).toBe(0)
})

it('a publisher that allows no more for now is not asked, and the schedule is told when', async () => {
  const { address, requests } = await serve((_, response) => response.end('x'))
  const pace = new PublisherPace({ [new URL(address).host]: [{ requests: 2, seconds: 3_600 }] })
  await get(new URL(address), { pace })
  await get(new URL(address), { pace })
  const from = Date.now()
  const error = await get(new URL(address), { pace }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AskLater)
  expect(error).toMatchObject({ reason: 'publisher_limit' })
  expect((error as AskLater).notBefore - from).toBeGreaterThan(3_590_000)
  expect(requests).toHaveLength(2)
})

it('limits are of hosts in lower case', () => {
  for (const [host, limits] of Object.entries(publisherLimits)) {
    expect(new URL(`https://${host}/`).host).toBe(host)
    for (const { requests, seconds } of limits) expect(requests * seconds).toBeGreaterThan(0)
  }
})
