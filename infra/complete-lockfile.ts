import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Completes the lockfile. npm leaves out an optional package that cannot be installed on the current platform, and `npm ci`
 * then refuses the lockfile on every platform. This program adds the missing packages, derives their platforms from their
 * names, and asks the registry for missing hashes.
 *
 * It also removes each package's `engines`. npm compares them with the Node that runs npm, and warns or, under
 * `--engine-strict`, refuses. Here that Node runs only npm: the packages run on the Node that is installed as one of them.
 *
 * Run `npm run lockfile` after every `npm install` that changes the lockfile. A test fails if that was forgotten.
 */
type Package = {
  name?: string
  version?: string
  integrity?: string
  optional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string[]
  engines?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lockfile = { packages: Record<string, Package> }

const systems = ['darwin', 'linux', 'win32', 'android', 'freebsd']
const processors = ['arm64', 'x64', 'arm', 'ia32']

/** Returns `[path, package]` of every optional package that the lockfile names but does not contain. */
export function missingOptionalPackages({ packages }: Lockfile): [string, Package][] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !packages[`${parent}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map(([name, version]): [string, Package] => [`node_modules/${name}`, platformPackage(name, version)]),
  )
}

/** Paths of the packages that have `engines`, except the program itself, whose path is empty. */
export const packagesWithEngines = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([path, { engines }]) => path !== '' && engines !== undefined)
    .map(([path]) => path)

/** Paths of packages whose bytes the lockfile does not prove. */
export const packagesWithoutHash = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([path, { integrity = '' }]) => path !== '' && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([path]) => path)

function platformPackage(name: string, version: string): Package {
  const words = name.split(/[/-]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : []
  return {
    version: version.replace(/^[\^~]/, ''),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  }
}

/** Asks npm's registry for a package's hash. Returns undefined if the registry does not have this version. */
function publishedHash(name: string, version: string): string | undefined {
  try {
    const hash = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return hash.trim() || undefined
  } catch (error) {
    if (String((error as { stderr?: string }).stderr).includes('E404')) return undefined
    throw error
  }
}

if (import.meta.main || process.argv[1]?.endsWith('complete-lockfile.ts')) {
  const file = new URL('../package-lock.json', import.meta.url)
  // Cast: npm wrote the lockfile.
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const missing = missingOptionalPackages(lockfile)
  for (const [path, entry] of missing) lockfile.packages[path] = entry
  const unproven = packagesWithoutHash(lockfile)
  for (const path of unproven) {
    // Cast: the paths were found in this lockfile.
    const entry = lockfile.packages[path] as Package
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const hash = publishedHash(name, entry.version ?? '')
    if (hash === undefined) process.stdout.write(`no hash: the registry does not have ${name}@${entry.version}\n`)
    else entry.integrity = hash
  }
  const engines = packagesWithEngines(lockfile)
  for (const path of engines) delete lockfile.packages[path]?.engines
  const [root, ...rest] = Object.entries(lockfile.packages)
  lockfile.packages = Object.fromEntries([
    ...(root ? [root] : []),
    ...rest.sort(([a], [b]) => a.localeCompare(b, 'en')),
  ])
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  const added = unproven.length - packagesWithoutHash(lockfile).length
  process.stdout.write(`added ${missing.length} entries and ${added} hashes, removed ${engines.length} engines\n`)
}
