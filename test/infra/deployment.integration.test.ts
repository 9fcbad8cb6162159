import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig, settingsTable } from '../../infra/config.ts'
import { documentsOf, parseYaml, readImage, infra as root, textOf } from './container-files.ts'

const files = globSync('{Dockerfile,**/*.yaml}', { cwd: root }).sort()
const repository = fileURLToPath(new URL('../../', import.meta.url))

describe('the container files', () => {
  it.each(files)('%s names no setting that there isn’t, in comments neither', (file) => {
    const known = new Set(settingsTable.map(({ name }) => name))
    const named = textOf(file).match(/ALMANAC_[A-Z_]+/g) ?? []
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it.each(files.filter((file) => file.endsWith('.yaml')))('%s is YAML', (file) => {
    expect(documentsOf(file)).not.toEqual([])
  })

  it.each(['a: 1\na: 2', 'a: { b: 1, b: 2 }', 'a: [', 'a: *b', 'a:\n\tb: 1'])('a fault in YAML is told: %j', (text) => {
    expect(() => parseYaml('TEST.yaml', text)).toThrow('TEST.yaml: ')
  })
})

describe('Dockerfile', () => {
  const image = readImage()
  const config = () => loadConfig({ ...image.env })
  const { node } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')).optionalDependencies

  it('has the Node that package.json names', () => {
    expect([...new Set(image.bases)]).toEqual([`node:${node.split('@').at(-1)}-bookworm-slim`])
  })

  it('runs as the user that owns the data directory', () => {
    const { dataDir } = config()
    const user = image.last('USER')
    expect(user).toBe('node')
    expect(image.last('VOLUME')).toBe(dataDir)
    const names = image.instructions.map(({ name }) => name)
    const made = image.instructions.findIndex(
      ({ rest }) => rest === `mkdir ${dataDir} && chown ${user}:${user} ${dataDir}`,
    )
    expect(names[made]).toBe('RUN')
    expect(made).toBeLessThan(names.indexOf('USER'))
    // What is written to a volume after it is declared is lost.
    expect(made).toBeLessThan(names.indexOf('VOLUME'))
  })

  it('exposes what it listens on, beyond loopback', () => {
    const { host, httpPort, streamPort, demo } = config()
    expect(image.last('EXPOSE')?.split(' ').map(Number)).toEqual([httpPort, streamPort])
    expect(host).toBe('0.0.0.0')
    expect(demo).toBe(false)
  })

  it('is checked on the admin port', () => {
    expect(config().admin.port).toBeGreaterThan(0)
    expect(image.last('HEALTHCHECK')).toMatch(/ CMD \["node", "infra\/ready\.ts"\]$/)
  })

  it('runs programs that are in it', () => {
    const ignored = readFileSync(`${repository}.dockerignore`, 'utf8').split('\n')
    const programs = [image.last('HEALTHCHECK'), image.last('CMD')].map(
      (text) => /"node", "([^"]+)"/.exec(text ?? '')?.[1],
    )
    for (const program of programs) {
      expect(existsSync(`${repository}${program}`), program).toBe(true)
      const paths = program!.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'))
      expect(ignored.filter((line) => paths.includes(line))).toEqual([])
    }
  })
})

describe('the health check of a container', () => {
  const check = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [`${root}ready.ts`], {
      env: { PATH: process.env.PATH, ALMANAC_ROLES: 'streams', ALMANAC_ADMIN_TOKEN: 'TEST', ...env },
    }).then(
      () => ({ code: 0, stderr: '' }),
      ({ code, stderr }) => ({ code, stderr }),
    )

  it.each(['127.0.0.2', '0.0.0.0'])('fails while a process of it isn’t ready, on %s', async (host) => {
    let status = 503
    const server = createServer((_request, response) => response.writeHead(status).end())
    await new Promise<void>((resolve) => server.listen(0, host === '0.0.0.0' ? '127.0.0.1' : host, resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    const env = { ALMANAC_ADMIN_HOST: host, ALMANAC_ADMIN_PORT: String(port - 1) }
    expect(await check(env)).toMatchObject({ code: 1 })
    status = 204
    expect(await check(env)).toMatchObject({ code: 0 })
  })

  it('says so where there is no admin port to ask', async () => {
    expect(await check({})).toMatchObject({ code: 1, stderr: expect.stringContaining('ALMANAC_ADMIN_PORT is 0') })
  })
})
