import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../support/journal.ts'
import { startService } from '../support/service.ts'

it('prints the addresses that it listens on, also where a port is 0', async () => {
  const service = await startService(await temporaryDirectory(), {
    ALMANAC_HTTP_PORT: '0',
    ALMANAC_STREAM_PORT: '0',
    ALMANAC_ROLES: 'store,api,streams',
    ALMANAC_DEMO: '0',
  })
  onTestFinished(() => service.destroy())
  const [health = ''] = /http:[^\s"]+\/health/.exec(service.output()) ?? []
  expect((await fetch(health)).status).toBe(200)
  const [, page = ''] = /"console":"([^"]+)"/.exec(service.output()) ?? []
  expect(await (await fetch(page)).text()).toContain('aria-label="Console"')
  const [, streams = ''] = /ws:(\/\/[^/\s]+)/.exec(service.output()) ?? []
  expect(streams).not.toMatch(/:0$/)
  expect((await fetch(`http:${streams}/none`)).status).toBe(404)
})
