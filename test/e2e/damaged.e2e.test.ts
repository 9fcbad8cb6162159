import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory, until } from '../support/journal.ts'
import { almanac, startService } from '../support/service.ts'

const EMBEDDED = {
  ALMANAC_KAFKA_BROKERS: '',
  ALMANAC_SCHEMA_REGISTRY_URL: '',
  ALMANAC_REDIS_URL: '',
  ALMANAC_ROLES: 'processors',
  ALMANAC_DEMO: '0',
  ALMANAC_SCHEDULE: '0',
}

it('a journal that is damaged while the service runs ends it with a sentence', async () => {
  const dataDir = await temporaryDirectory()
  const data = join(dataDir, 'journal/data.mdb')
  // Copied before any process writes to it: a copy of a file that changes is damaged itself.
  expect((await almanac(['journal', 'init'], { ...EMBEDDED, ALMANAC_DATA_DIR: dataDir })).code).toBe(0)
  const whole = await readFile(data)
  const service = await startService(dataDir, EMBEDDED)
  onTestFinished(() => service.destroy())
  expect((await almanac(['journal', 'check'], { ...EMBEDDED, ALMANAC_DATA_DIR: dataDir })).code).toBe(0)
  // Shorter than it was mapped: the next look at what is gone ends the process with SIGBUS.
  const file = await open(data, 'r+')
  await file.truncate(8_192)
  await file.close()
  await until('the service has ended', () => service.processes().length === 0)
  expect(service.output()).toMatch(/is damaged.*restore a backup of ALMANAC_DATA_DIR/)
  const again = await almanac(['start'], { ...EMBEDDED, ALMANAC_DATA_DIR: dataDir })
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/^almanac: .*data\.mdb is damaged.*restore a backup/),
  ])
  for (const [exitCode, ...args] of [
    [2, 'replay', 'access'],
    [2, 'keys', 'list'],
    [4, 'journal', 'check'],
  ] as const) {
    const { code, stderr } = await almanac(args, { ...EMBEDDED, ALMANAC_DATA_DIR: dataDir })
    expect([code, stderr]).toEqual([exitCode, expect.stringMatching(/^almanac: \S*data\.mdb is damaged[^\n]*\n$/)])
  }
  await writeFile(data, whole)
  const restored = await startService(dataDir, EMBEDDED)
  onTestFinished(() => restored.destroy())
  expect(await restored.stop()).toBe(0)
})
