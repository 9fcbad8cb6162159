import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CatalogEntry } from '../../contracts/catalog.ts'
import { runCommand } from '../support/command.ts'
import { serve } from '../support/http-server.ts'
import { untilServed } from '../support/journal.ts'
import { useService } from '../support/use-service.ts'

const SAMPLE = 'cpi-USA-bls.csv'
const own = useService([SAMPLE])

const lastFetched = async (): Promise<readonly (string | null)[]> => {
  const answer = await fetch(`${own.service.base}/v1/catalog?country=USA&indicator=cpi&indicator=inflation`, {
    headers: own.headers,
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  // Cast: the contract of this address.
  const { series } = (await answer.json()) as { series: CatalogEntry[] }
  return [...new Set(series.map(({ last_fetched_at }) => last_fetched_at))]
}

it('the catalogue says when another process last fetched a dataset, after a failed fetch and a restart, too', async () => {
  const document = await readFile(join(import.meta.dirname, '../../sample/figures', SAMPLE))
  let status = 200
  const { address } = await serve((_request, response) => response.writeHead(status).end(document))
  const fetchIt = () =>
    runCommand(['ingest', 'file', `${address}/${SAMPLE}`], { ALMANAC_DATA_DIR: own.service.dataDir })
  await untilServed('the sample is in memory', async () => (await lastFetched()).length === 1)
  // The same document was read from a local file.
  expect(await lastFetched()).toEqual([null])

  const from = new Date().toISOString()
  const fetched = await fetchIt()
  expect(fetched, fetched.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^total: \d+ unchanged$/m) })
  await untilServed('the fetch is served', async () => (await lastFetched())[0] !== null)
  const [at = null, ...others] = await lastFetched()
  expect(others).toEqual([])
  expect(at && at >= from && at <= new Date().toISOString()).toBe(true)

  status = 503
  expect(await fetchIt()).toMatchObject({ code: 3 })
  await own.restart()
  expect(await lastFetched()).toEqual([at])
})
