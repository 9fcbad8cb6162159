import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * npm leaves an optional package out of the lockfile where the platform it is made on can't have it, and `npm ci` then
 * refuses the lockfile everywhere. This adds what is missing, with what the package's name says of its platform, and asks the
 * registry for every hash that is missing.
 *
 * It also takes each package's `engines` out. npm compares them with the Node that runs npm, and warns or, under
 * `--engine-strict`, refuses. Here npm's Node runs only npm: the packages run on the Node that is one of them.
 *
 * Run it after every `npm install` that changed the lockfile: `npm run lockfile`; a test notices when it wasn't.
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

/** `[where it belongs, what it is]` of every optional package that the lockfile names but doesn't hold. */
export function missingOptionalPackages({ packages }: Lockfile): [string, Package][] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !packages[`${parent}/node_modules/${name}`] && !packages[`node_modules/${name}`])
      .map(([name, version]): [string, Package] => [`node_modules/${name}`, platformPackage(name, version)]),
  )
}

/** Places of the packages that say which Node they need; the program itself, whose place is empty, is none of them. */
export const packagesWithEngines = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([place, { engines }]) => place !== '' && engines !== undefined)
    .map(([place]) => place)

/** Places of packages whose bytes the lockfile does not prove. */
export const packagesWithoutHash = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([place, { integrity = '' }]) => place !== '' && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([place]) => place)

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

/** Asks the registry that npm is set to. Undefined: it does not have this version. */
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
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const missing = missingOptionalPackages(lockfile)
  for (const [place, entry] of missing) lockfile.packages[place] = entry
  const unproven = packagesWithoutHash(lockfile)
  for (const place of unproven) {
    const entry = lockfile.packages[place] as Package
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const hash = publishedHash(name, entry.version ?? '')
    if (hash === undefined) process.stdout.write(`no hash: the registry does not have ${name}@${entry.version}\n`)
    else entry.integrity = hash
  }
  const engines = packagesWithEngines(lockfile)
  for (const place of engines) delete lockfile.packages[place]?.engines
  const [root, ...rest] = Object.entries(lockfile.packages)
  lockfile.packages = Object.fromEntries([
    ...(root ? [root] : []),
    ...rest.sort(([a], [b]) => a.localeCompare(b, 'en')),
  ])
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  const added = unproven.length - packagesWithoutHash(lockfile).length
  process.stdout.write(`added ${missing.length} entries and ${added} hashes, removed ${engines.length} engines\n`)
}
