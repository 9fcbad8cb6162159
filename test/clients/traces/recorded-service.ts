import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Service, startService } from '../../support/service.ts'

export const settings = { ALMANAC_LOG_LEVEL: 'error' }

/** A whole service for the recordings of a file. What stops it puts another one in its place. */
export const recorded: {
  dataDir: string
  service: Service
  keys: { free: string; basic: string; pro: string }
  // A cast, because the hooks below fill it before anything is recorded.
} = {} as never

export function useService(): void {
  beforeAll(async () => {
    recorded.dataDir = await mkdtemp(join(tmpdir(), 'almanac-record-'))
    recorded.service = await startService(recorded.dataDir, settings)
    recorded.keys = await recorded.service.keys()
  })
  afterAll(async () => {
    await recorded.service?.destroy()
    await rm(recorded.dataDir, { recursive: true, force: true })
  })
}

export const addresses = () => ({ url: recorded.service.base, streamsUrl: recorded.service.streams })
/** A filter that few events pass. */
export const some = { countries: ['SGP'], families: ['labour'] }
