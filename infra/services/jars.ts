import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Name of a profile in `pom.xml` and of a list of checksums, `<bundle>.sha256`. */
export type Bundle = 'kafka' | 'registry'
export const bundles: readonly Bundle[] = ['kafka', 'registry']

export type DownloadProgress = (line: string) => void

const MARK = '.verified'
/** Directory, within a bundle's, into which its archive is unpacked. */
export const UNPACKED = 'unpacked'
const pom = join(import.meta.dirname, 'pom.xml')
export const checksumFile = (bundle: Bundle): string => join(import.meta.dirname, `${bundle}.sha256`)

/** Directory of downloads, one for the machine, outside of the repository. `INFRA_CACHE_DIR` sets another. */
export const cacheDirectory = (env: NodeJS.ProcessEnv = process.env): string =>
  env.INFRA_CACHE_DIR || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'almanac')

/**
 * Returns the directory with a bundle's files, whose checksums the repository pins. Missing files are downloaded with the
 * machine's Maven. A directory that was checked once has a mark and is not checked again. Throws `ChecksumMismatch`, and
 * then deletes what it downloaded.
 */
export async function bundleDirectory(
  bundle: Bundle,
  options: {
    readonly progress?: DownloadProgress | undefined
    /** Tests set other places and another download. */
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
    // If another process was faster, its directory is used.
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
    throw new ChecksumMismatch(`${file} in ${directory} ${what}; the pinned SHA-256 is ${sum}`)
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

/** Checksums of the jars and archives in a directory, in the format of `sha256sum`, sorted by name. */
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

/** Downloads a bundle and pins its checksums. Returns the path of the list. */
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
    if (code === 'ENOENT') throw new Error('mvn is not installed: install Maven 3.8 or newer and Java 17')
    const output = (stdout + stderr).trim().split('\n').slice(0, 10).join('\n')
    throw new Error(`Maven could not fetch ${bundle}:\n${output}`)
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
