import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../infra/ports.ts'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { almanac, startService } from '../support/service.ts'

it('read models of another journal are neither served nor written to: that is said once, and ends the service', async () => {
  const theirs = await temporaryDirectory()
  const service = await startService(theirs, { ALMANAC_ROLES: 'store,projections', ALMANAC_DEMO: '0' })
  onTestFinished(() => service.destroy())
  const { url } = JSON.parse(await readFile(join(theirs, 'store.json'), 'utf8'))
  const ours = await temporaryDirectory()
  expect((await runCommand(['journal', 'init'], { ALMANAC_DATA_DIR: ours })).code).toBe(0)
  const doctor = await runCommand(['doctor'], { ALMANAC_DATA_DIR: ours, ALMANAC_CLICKHOUSE_URL: url })
  expect(doctor.stdout).toMatch(/^BAD read models +table_mismatch: /m)
  for (const role of ['api', 'projections']) {
    const { code, stdout, stderr } = await almanac(['start'], {
      ALMANAC_DATA_DIR: ours,
      ALMANAC_ROLES: role,
      ALMANAC_DEMO: '0',
      ALMANAC_CLICKHOUSE_URL: url,
      ALMANAC_HTTP_PORT: String(await freePort()),
    })
    expect(stdout + stderr).toMatch(/table_mismatch: table \w+ was filled from journal .* ALMANAC_CLICKHOUSE_URL/)
    expect(code).toBe(2)
  }
})
