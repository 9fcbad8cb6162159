import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type JobJson, startIngestNode } from '../distributed/support/ingest-node.ts'
import { until } from '../support/journal.ts'

it('a service with a schedule asks the BLS and the BEA for their calendars, and FRED only with a key', async () => {
  const asked = new Set<string>()
  // A proxy that lets nobody through, so that no publisher is asked.
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    asked.add(request.url ?? '')
    socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const node = await startIngestNode({
    ALMANAC_DEMO: '0',
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    NO_PROXY: '127.0.0.1,localhost',
  })
  onTestFinished(async () => {
    await node.service.destroy()
    await rm(node.service.dataDir, { recursive: true, force: true })
  })
  let calendars: JobJson[] = []
  const isRun = ({ last_run }: JobJson) => last_run !== null && last_run.outcome !== 'running'
  await until('the calendars were asked for', async () => {
    calendars = (await node.jobs()).filter(({ name }) => name.startsWith('release-dates/'))
    return calendars.length === 3 && calendars.every(isRun)
  })
  const runs = Object.fromEntries(calendars.map(({ name, last_run }) => [name, last_run]))
  expect(runs['release-dates/fred']).toMatchObject({
    outcome: 'succeeded',
    detail: 'not asked: FRED gives release dates only with a key: set ALMANAC_FRED_API_KEY.',
  })
  for (const name of ['release-dates/bls', 'release-dates/bea'])
    expect(runs[name]).toMatchObject({ outcome: 'retrying', detail: expect.stringContaining('could not be reached') })
  expect(asked).toContain('www.bls.gov:443')
  expect(asked).toContain('apps.bea.gov:443')
  expect(await node.service.stop()).toBe(0)
})
