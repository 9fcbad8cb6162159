import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Service, startService } from './service.ts'

/**
 * Starts a service on an empty data directory before the tests of a file, and removes both after them. Its members exist
 * only once the tests run. `headers` has a key of the plan `pro`.
 */
export function useService() {
  let dataDir: string
  let service: Service
  let headers: { readonly authorization: string }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
    service = await startService(dataDir)
    headers = { authorization: `Bearer ${(await service.keys()).pro}` }
  }, 90_000)
  afterAll(async () => {
    await service?.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get service() {
      return service
    },
    get headers() {
      return headers
    },
  }
}
