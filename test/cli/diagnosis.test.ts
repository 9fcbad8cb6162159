import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { diagnoseFiles } from '../../cli/diagnosis.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'

const diagnose = (settings: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  return diagnoseFiles(new AbortController().signal)
}
afterEach(() => void vi.unstubAllEnvs())

describe('after a crash', () => {
  it('nothing is wrong with files that are not there', async () => {
    expect(await diagnose({ ALMANAC_DATA_DIR: await temporaryDirectory() })).toBeUndefined()
  })

  it('a service on Kafka is not judged by an embedded journal that it does not have', async () => {
    const settings = { ALMANAC_DATA_DIR: await temporaryDirectory(), ALMANAC_KAFKA_BROKERS: '127.0.0.1:1' }
    expect(await diagnose(settings)).toBeUndefined()
  })

  it('a setting that does not exist is for the restarted process to say', async () => {
    expect(await diagnose({ ALMANAC_DATADIR: 'x' })).toBeUndefined()
  })

  it('a sound journal is sound, and a damaged one is named', async () => {
    const { journal, directory } = await openEmbeddedTestJournal()
    await journal.close()
    expect(await diagnose({ ALMANAC_DATA_DIR: directory })).toBeUndefined()
    await truncate(join(directory, 'journal/data.mdb'), 8_192)
    expect(await diagnose({ ALMANAC_DATA_DIR: directory })).toMatch(/data\.mdb is damaged.*restore a backup/)
  })

  it('the check ends with the supervisor', async () => {
    const leaving = new AbortController()
    vi.stubEnv('ALMANAC_DATA_DIR', await temporaryDirectory())
    const asked = diagnoseFiles(leaving.signal)
    leaving.abort()
    expect(await asked).toBeUndefined()
  })
})
