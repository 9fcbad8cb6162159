import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { welcome } from '../../cli/commands/start.ts'
import { loadConfig } from '../../infra/config.ts'

const lastLine = (env: Readonly<Record<string, string>>) => welcome(loadConfig(env)).trimEnd().split('\n').at(-1)

it('the last line of a start names the console, and the README shows it', () => {
  const line = lastLine({ ALMANAC_DEMO: '1' })
  expect(line).toBe('Console: open http://127.0.0.1:8080/ in a browser, and paste a key of var/demo-keys.json')
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(`\n${line}\n`)
})

it('without the demo it names no file of keys, and without the console no console', () => {
  expect(lastLine({ ALMANAC_DEMO: '0' })).toBe(
    'Console: open http://127.0.0.1:8080/ in a browser, and paste an API key',
  )
  expect(lastLine({ ALMANAC_ROLES: 'store,ingest' })).toBe('almanac is ready (store, ingest)')
})
