import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { assertNotFromBrowser, type Door } from '../../projections/store/door.ts'
import { assertReaderMay } from '../../projections/store/reader.ts'
import { tokenise } from '../../projections/store/tokens.ts'

/** The rules alone; `store-entrances` and `store-reader.integration.test.ts` ask a store by them. */

const none: ReadonlyMap<string, string> = new Map()
const tcp: Door = { kind: 'tcp', password: 'secret' }

describe('the TCP port of the store', () => {
  const passes = (hosts: readonly string[], headers: Readonly<Record<string, string>> = {}) => {
    const request = { headers, headersDistinct: { host: [...hosts] } } as unknown as IncomingMessage
    return () => assertNotFromBrowser(tcp, request)
  }

  it.each(['127.0.0.1', '127.8.9.1:8123', 'localhost', 'LOCALHOST:80', '[::1]:8123'])('answers the host %s', (host) => {
    expect(passes([host])).not.toThrow()
  })

  it.each([
    ['another name', ['rebound.example.com:8123']],
    ['a name that begins like one', ['localhost.example.com']],
    ['no name', []],
    ['a second name behind a good one', ['localhost', 'rebound.example.com']],
  ])('refuses %s', (_, hosts) => {
    expect(passes(hosts)).toThrow('Host')
  })

  it.each(['origin', 'sec-fetch-site'])('refuses what has a browser’s header %s', (name) => {
    expect(passes(['localhost'], { [name]: 'same-origin' })).toThrow('browsers')
  })
})

describe('the user reader', () => {
  const may = (sql: string, request: Partial<Parameters<typeof assertReaderMay>[1]> = {}) => {
    return () => assertReaderMay(sql, { database: undefined, settings: none, params: none, ...request })
  }
  const params = (...values: readonly string[]) => ({
    params: new Map(values.map((value, i) => [`p${i}`, value] as const)),
  })

  it('reads', () => {
    expect(
      may('SELECT 1 FROM current_figures, system.one WHERE a = {p0:String}', params('of the system')),
    ).not.toThrow()
  })

  it.each([
    ['at the beginning', 'SELECT * FROM system.processes'],
    ['behind others', 'SELECT a, b, c FROM current_figures WHERE d IN (SELECT query FROM system.processes)'],
    ['in quotes', 'SELECT a, b, c FROM current_figures JOIN "system".`processes` USING (a)'],
    ['by a function', "SELECT a, b, c FROM merge('sys', 'processes')"],
  ])('names no other table of system %s', (_, sql) => {
    expect(may(sql)).toThrow('reader')
  })

  it.each([[['system']], [['system.processes']], [['harmless', 'also harmless', '`system`.processes']]])(
    'names none in parameters either: %j',
    (values) => {
      expect(may('SELECT * FROM {p0:Identifier}', params(...values))).toThrow('reader')
    },
  )

  it('neither writes nor shows what is not listed, nor takes another profile or database', () => {
    expect(may('INSERT INTO t VALUES (1)')).toThrow('only read')
    expect(may('SHOW PROCESSLIST')).toThrow('SHOW')
    expect(may('SELECT 1', { settings: new Map([['profile', 'default']]) })).toThrow('profile')
    expect(may('SELECT 1', { database: 'system' })).toThrow('system')
  })
})

it('a comment ends with the last of those in it, as the engine reads it', () => {
  const words = (sql: string) => tokenise(sql).map(({ text }) => text)
  expect(words('/* a /* b */ DROP */ SELECT 1')).toEqual(words('SELECT 1'))
  expect(words('/* a */ SELECT /* b */ 1')).toEqual(words('SELECT 1'))
  expect(() => tokenise('/* a /* b */ SELECT 1')).toThrow('comment')
})
