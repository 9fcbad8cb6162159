import { expect, it } from 'vitest'
import { HealthWatch } from '../../cli/processes/health.ts'

it('the health of a node is that of its parts, and degraded while it starts', async () => {
  const watch = new HealthWatch({ journal: () => true, read_models: () => true, access: () => 'disk full' })
  expect(watch.report('1', '', true)).toMatchObject({ status: 'degraded', journal: 'starting' })
  const ended = new AbortController()
  const run = watch.run(ended.signal)
  await expect.poll(() => watch.report('1', '', true).access).toBe('disk full')
  expect(watch.report('1', '', true).status).toBe('degraded')
  ended.abort()
  await run

  const well = new HealthWatch({ journal: () => true, read_models: () => true, access: () => true })
  const again = new AbortController()
  const running = well.run(again.signal)
  await expect.poll(() => well.report('1', '', true).status).toBe('ok')
  expect(well.report('1', '', 'the sample is being loaded')).toEqual({
    status: 'degraded',
    version: '1',
    journal: 'ok',
    read_models: 'ok',
    access: 'ok',
    starting: 'the sample is being loaded',
    data_as_of: '',
  })
  expect(well.report('1', '2026-11-29T00:00:00.000Z', true)).not.toHaveProperty('starting')
  again.abort()
  await running
})
