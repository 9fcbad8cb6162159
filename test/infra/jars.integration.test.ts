import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Bundle,
  bundleDirectory,
  bundles,
  ChecksumMismatch,
  cacheDirectory,
  checksumFile,
} from '../../infra/services/jars.ts'
import { temporaryDirectory } from '../support/journal.ts'

const sum = (content: string): string => createHash('sha256').update(content).digest('hex')

/** A list that pins two files, and a fetch that brings them, or whatever a test puts in their place. */
async function pinned() {
  const cache = await temporaryDirectory()
  const list = join(cache, 'list.sha256')
  const files: Record<string, string> = { 'a-1.jar': 'TEST a', 'b-2.jar': 'TEST b' }
  await writeFile(
    list,
    Object.entries(files)
      .map(([name, content]) => `${sum(content)}  ${name}\n`)
      .join(''),
  )
  let fetched = 0
  const fetch = async (_: Bundle, into: string) => {
    fetched++
    await mkdir(into, { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(join(into, name), content)
  }
  const open = () => bundleDirectory('kafka', { cache, list, fetch })
  return { cache, files, open, fetches: () => fetched }
}

describe('the pinned files', () => {
  it('are fetched once and found again', async () => {
    const { open, fetches } = await pinned()
    const directory = await open()
    expect(await readFile(join(directory, 'a-1.jar'), 'utf8')).toBe('TEST a')
    expect(await open()).toBe(directory)
    expect(fetches()).toBe(1)
  })
  it('are refused by name, and not kept, where a byte differs', async () => {
    const { open, files, cache } = await pinned()
    files['b-2.jar'] = 'TEST B'
    await expect(open()).rejects.toThrow(ChecksumMismatch)
    await expect(open()).rejects.toThrow(/b-2\.jar .* has SHA-256 .* pinned SHA-256 is/)
    expect(await readdir(cache)).toEqual(['list.sha256'])
  })
  it('are refused with one missing, and with one more, which Java would load as well', async () => {
    const { open, files } = await pinned()
    files['c-3.jar'] = 'TEST c'
    await expect(open()).rejects.toThrow(/c-3\.jar .* is not pinned/)
    delete files['c-3.jar']
    delete files['a-1.jar']
    await expect(open()).rejects.toThrow(/a-1\.jar .* is missing/)
  })
  it('are checked again where the mark of a checked directory is missing', async () => {
    const { open, fetches } = await pinned()
    const directory = await open()
    await rm(join(directory, '.verified'))
    expect(await open()).toBe(directory)
    await rm(join(directory, '.verified'))
    await writeFile(join(directory, 'a-1.jar'), 'TEST changed')
    await expect(open()).rejects.toThrow(ChecksumMismatch)
    expect(fetches()).toBe(1)
  })
  it('serve two processes that fetch at the same time', async () => {
    const { cache, files, open } = await pinned()
    const [a] = await Promise.all([open(), open()])
    expect((await readdir(a!)).sort()).toEqual(['.verified', ...Object.keys(files)])
    expect(await readdir(cache)).toHaveLength(2)
  })
  it('have a list each in the repository, of the versions that pom.xml names', async () => {
    const pom = await readFile(new URL('../../infra/services/pom.xml', import.meta.url), 'utf8')
    const version = (name: string) => new RegExp(`<${name}.version>(.+)</`).exec(pom)?.[1]
    const lists = Object.fromEntries(
      await Promise.all(bundles.map(async (bundle) => [bundle, await readFile(checksumFile(bundle), 'utf8')] as const)),
    )
    expect(lists.kafka).toContain(`  kafka_2.13-${version('kafka')}.jar\n`)
    expect(lists.kafka).toContain(`  log4j-core-${version('log4j')}.jar\n`)
    expect(lists.registry).toContain(`  apicurio-registry-app-${version('apicurio')}-all.tar.gz\n`)
    for (const list of Object.values(lists)) expect(list).toMatch(/^([0-9a-f]{64} {2}\S+\n)+$/)
  })
  it('lie in the user’s cache, or where INFRA_CACHE_DIR says', () => {
    expect(cacheDirectory({ INFRA_CACHE_DIR: '/TEST' })).toBe('/TEST')
    expect(cacheDirectory({ XDG_CACHE_HOME: '/TEST' })).toBe('/TEST/almanac')
    expect(cacheDirectory({})).toMatch(/\.cache\/almanac$/)
  })
})
