import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/journal.ts'

const root = join(import.meta.dirname, '../..')
/** Prints the packages that a program has loaded, once it ends. */
const teller = `
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({
  load(url, context, next) {
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
    if (name) loaded.add(name)
    return next(url, context)
  },
})
process.on('exit', () => process.stdout.write('loaded: ' + [...loaded].join(' ')))
`
const remote = ['ioredis', 'bullmq', 'kafkajs', '@platformatic/kafka', '@kafkajs/confluent-schema-registry']

// Loading them takes a fifth of a command's time.
it.each([
  ['a command', 'cli/almanac.mjs', ['replay', 'releases']],
  ['a node', 'cli/processes/node.ts', []],
])('%s without Kafka and Redis loads none of their clients', async (_, file, args) => {
  const env = { PATH: process.env.PATH, ALMANAC_DATA_DIR: await temporaryDirectory(), ALMANAC_ROLES: 'none' }
  const hook = `data:text/javascript,${encodeURIComponent(teller)}`
  const { stdout } = spawnSync(process.execPath, ['--import', hook, join(root, file), ...args], {
    env,
    encoding: 'utf8',
  })
  const loaded = /loaded: (.*)/.exec(stdout)?.[1]?.split(' ') ?? []
  expect(loaded).toContain('lmdb')
  expect(loaded.filter((name) => remote.includes(name))).toEqual([])
})
