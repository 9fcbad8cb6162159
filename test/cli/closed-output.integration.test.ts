import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { seriesFileHead } from '../support/series-file.ts'
import { almanacIntoHead } from '../support/service.ts'

/** Files that each hold one month, and a journal for them. */
async function months(count: number) {
  const dir = await temporaryDirectory()
  const input = join(dir, 'input')
  await mkdir(input)
  const periods = Array.from({ length: count }, (_, i) => `2025-${String(i + 1).padStart(2, '0')}`)
  for (const period of periods) await writeFile(join(input, `${period}.csv`), `${seriesFileHead}${period},100\n`)
  const env = { ALMANAC_DATA_DIR: join(dir, 'data') }
  expect(await runCommand(['journal', 'init'], env)).toMatchObject({ code: 0, stderr: '' })
  return { input, env, periods }
}

describe('with a reader of its output that goes after one line', () => {
  it('ingest reads every file and ends with its own exit code, and replay ends', async () => {
    const { input, env, periods } = await months(8)
    await writeFile(join(input, 'page.csv'), '<html>')
    expect(await almanacIntoHead(['ingest', 'file', input], env)).toBe(3)
    const { stdout } = await runCommand(['replay', 'releases'], env)
    const read = stdout.split('\n').filter((line) => line !== '')
    expect(read.map((line) => (JSON.parse(line) as { value: { period: string } }).value.period)).toEqual(periods)
    expect(await almanacIntoHead(['replay', 'releases'], env)).toBe(0)
  })
})
