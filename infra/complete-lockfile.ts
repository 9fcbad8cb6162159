import { readFileSync, writeFileSync } from 'node:fs'

/**
 * npm leaves an optional package out of the lockfile where the platform it is made on can't have it, and `npm ci` then
 * refuses the lockfile everywhere. This adds what is missing, with what the package's name says of its platform. Run it
 * after every `npm install` that changed the lockfile: `npm run lockfile`; a test notices when it wasn't.
 */
type Package = {
  version?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
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

if (import.meta.main || process.argv[1]?.endsWith('complete-lockfile.ts')) {
  const file = new URL('../package-lock.json', import.meta.url)
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const missing = missingOptionalPackages(lockfile)
  for (const [place, entry] of missing) lockfile.packages[place] = entry
  const [root, ...rest] = Object.entries(lockfile.packages)
  lockfile.packages = Object.fromEntries([...(root ? [root] : []), ...rest.sort(([a], [b]) => (a < b ? -1 : 1))])
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`)
  process.stdout.write(`added ${missing.length} entries\n`)
}
