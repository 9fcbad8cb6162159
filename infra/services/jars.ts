import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A profile of `pom.xml` beside this file, and a list of checksums `<bundle>.sha256`. */
export type Bundle = 'kafka' | 'registry'
export const bundles: readonly Bundle[] = ['kafka', 'registry']

export type DownloadProgress = (line: string) => void

const MARK = '.verified'
/** Where in the directory of a bundle its archive is unpacked. */
export const UNPACKED = 'unpacked'
const pom = join(import.meta.dirname, 'pom.xml')
export const checksumFile = (bundle: Bundle): string => join(import.meta.dirname, `${bundle}.sha256`)

/** Where downloads are kept, once a machine and outside of the repository. `INFRA_CACHE_DIR` moves it. */
export const cacheDirectory = (env: NodeJS.ProcessEnv = process.env): string =>
  env.INFRA_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'almanac')

/**
 * The directory with the files of a bundle, each with the checksum that the repository pins. Downloads them with Maven, as
 * this machine has it set up, where they are not there. A directory that was found right carries a mark and is not read
 * again; without the mark it is checked anew. Throws `ChecksumMismatch`; what is downloaded and wrong is not kept.
 */
export async function bundleDirectory(
  bundle: Bundle,
  options: {
    readonly progress?: DownloadProgress | undefined
    /** For tests: other places, and another way to fetch. */
    readonly cache?: string
    readonly list?: string
    readonly fetch?: (bundle: Bundle, into: string) => Promise<void>
  } = {},
): Promise<string> {
  const { cache = cacheDirectory(), list = checksumFile(bundle), fetch = fetchWithMaven } = options
  const progress = options.progress ?? (() => undefined)
  const pinned = await readFile(list, 'utf8')
  const digest = createHash('sha256').update(pinned).digest('hex').slice(0, 16)
  const directory = join(cache, `${bundle}-${digest}`)
  if (await exists(join(directory, MARK))) return directory
  if (await exists(directory)) {
    progress(`checking the files of ${bundle}`)
    await settle(directory, pinned)
    return directory
  }
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(`${directory}.`)
  try {
    progress(`fetching ${bundle} with Maven, once on this machine, into ${directory}`)
    await fetch(bundle, fresh)
    await settle(fresh, pinned)
    await rename(fresh, directory)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process was faster.
    if (!(await exists(join(directory, MARK)))) throw error
  }
  return directory
}

export class ChecksumMismatch extends Error {
  override readonly name = 'ChecksumMismatch'
}

async function settle(directory: string, pinned: string): Promise<void> {
  const wanted = parseChecksums(pinned)
  const found = parseChecksums(await checksumsOf(directory))
  for (const [file, sum] of wanted) {
    if (found.get(file) === sum) continue
    const what = found.has(file) ? `has SHA-256 ${found.get(file)}` : 'is missing'
    throw new ChecksumMismatch(`${file} in ${directory} ${what}; pinned is ${sum}`)
  }
  for (const file of found.keys()) {
    if (!wanted.has(file)) throw new ChecksumMismatch(`${file} in ${directory} is not pinned`)
  }
  for (const file of wanted.keys()) {
    if (file.endsWith('.tar.gz')) await unpack(join(directory, file), join(directory, UNPACKED))
  }
  await writeFile(join(directory, MARK), '')
}

async function unpack(archive: string, into: string): Promise<void> {
  await rm(into, { recursive: true, force: true })
  await mkdir(into)
  await run('tar', ['-xzf', archive, '-C', into])
}

/** Of the jars and archives in a directory, as `sha256sum` writes them, in the order of their names. */
async function checksumsOf(directory: string): Promise<string> {
  const files = (await readdir(directory)).filter((name) => /\.(jar|tar\.gz)$/i.test(name)).sort()
  const sums = await Promise.all(files.map((file) => sha256(join(directory, file))))
  return files.map((file, i) => `${sums[i]}  ${file}\n`).join('')
}

const parseChecksums = (text: string): Map<string, string> =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  )

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Downloads a bundle anew and writes its checksums as the ones to trust from now on; returns the list's file. */
export async function pinBundle(bundle: Bundle): Promise<string> {
  const fresh = await mkdtemp(join(tmpdir(), 'almanac-pin-'))
  try {
    await fetchWithMaven(bundle, fresh)
    await writeFile(checksumFile(bundle), await checksumsOf(fresh))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return checksumFile(bundle)
}

async function fetchWithMaven(bundle: Bundle, into: string): Promise<void> {
  const args = ['-B', '-ntp', '-q', '-f', pom, `-P${bundle}`, 'dependency:copy-dependencies']
  try {
    await run('mvn', [...args, `-DoutputDirectory=${into}`, '-DincludeScope=runtime'], { maxBuffer: 1 << 26 })
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    if (code === 'ENOENT') throw new Error('mvn is not on this machine: install Maven 3.8 or newer and Java 17')
    const output = (stdout + stderr).trim().split('\n').slice(0, 10).join('\n')
    throw new Error(`Maven could not fetch ${bundle}:\n${output}`)
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
