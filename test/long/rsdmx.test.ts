/** SDMX as rsdmx reads it, the package of R that most users have. Needs R with rsdmx (Debian: r-cran-rsdmx). */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import type { ObservationList } from '../../contracts/histories.ts'
import { startDemo } from '../support/demo.ts'

const hasNoRsdmx = spawnSync('Rscript', ['-e', 'library(rsdmx)']).status !== 0

it.skipIf(hasNoRsdmx)('rsdmx reads flows, a structure with its code lists, and data with labels', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-rsdmx-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const service = await startDemo(dataDir, ['cpi-USA-bls.csv'], { ALMANAC_SCHEDULE: '0' })
  onTestFinished(() => service.destroy())
  const { pro: key } = await service.keys()
  const program = join(import.meta.dirname, 'rsdmx/ask_rsdmx.R')
  const { stdout } = await promisify(execFile)('Rscript', [program, `${service.base}/sdmx/2.1`], {
    env: { ...process.env, ALMANAC_KEY: key },
  })
  const told = new Map(stdout.split('\n').map((line) => line.split('\t') as [string, string]))

  expect(told.get('flows')).toMatch(/^CPI CPI_VINTAGES INFLATION /)
  expect(told.get('codelists')?.split(' ')).toEqual(expect.arrayContaining(['CL_FREQ', 'CL_REF_AREA']))
  expect(told.get('frequencies')?.split(' ').sort()).toEqual(['A', 'M', 'Q'])
  expect(told.get('columns')?.split(' ')).toEqual(expect.arrayContaining(['UNIT_MEASURE', 'RELEASED_ON']))
  expect(told.get('country')).toBe('United States')

  const address = `${service.base}/v1/economics/USA/cpi/observations?start=2023-11&end=2024-02`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  const { observations } = (await answer.json()) as ObservationList
  expect(observations.length).toBeGreaterThan(2)
  expect(told.get('periods')?.split(' ')).toEqual(observations.map(({ period }) => period))
  expect(told.get('values')?.split(' ').map(Number)).toEqual(observations.map(({ value }) => Number(value)))
})
