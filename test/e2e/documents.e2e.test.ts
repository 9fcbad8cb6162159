import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Command } from '../../cli/command.ts'
import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import { freePorts } from '../../infra/ports.ts'
import { makeClone } from '../support/clone.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { notRun, run } from '../support/document-snippets.ts'
import { documentFiles, documentText, type Snippet, snippets, snippetWith } from '../support/documents-text.ts'
import { jsonLines, restExamples } from '../support/rest-examples.ts'
import type { Service } from '../support/service.ts'

/**
 * Every command and snippet of README and docs, run as it is printed in a directory that looks like a clone with a running
 * service. Only the ports are other ones, so that runs don't meet on those of the documents.
 */

let home: string
let service: Service
let base: string
let streamBase: string
let ports: Readonly<Record<string, string>>
let settings: Readonly<Record<string, string>>

beforeAll(async () => {
  home = await makeClone()
  const [http = '', streams = '', store = ''] = (await freePorts(3)).map(String)
  ports = { 8080: http, 8081: streams, 8123: store }
  settings = { ALMANAC_HTTP_PORT: http, ALMANAC_STREAM_PORT: streams, ALMANAC_STORE_PORT: store }
  // Gathered for longer, a tick would not be in the read models while the test waits; for less, the store has more to do.
  service = await startSample(join(home, 'var'), { ...settings, ALMANAC_TICKS_FLUSH_MS: '2000' })
  base = `http://127.0.0.1:${http}`
  streamBase = `ws://127.0.0.1:${streams}`
})
afterAll(async () => {
  await service?.destroy()
  await rm(home, { recursive: true, force: true })
})

const onTheirPorts = (text: string): string =>
  text.replace(/\b(?:127\.0\.0\.1|localhost):(8080|8081|8123)\b/g, (_, port: string) => `127.0.0.1:${ports[port]}`)

/** Starts a program in the clone, with the key as the documents have a user export it. */
async function start(command: string, args: readonly string[]): Promise<ChildProcess> {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('ALMANAC_'))
  return spawn(command, args, {
    cwd: home,
    env: { ...Object.fromEntries(env), [KEY_VARIABLE]: (await service.keys()).pro },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs shell text to its end; fails the test where it ends otherwise than well. */
async function shell({ place, text }: Snippet): Promise<string> {
  const child = await start('bash', ['-euo', 'pipefail', '-c', onTheirPorts(text)])
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  // An export tells its progress once it takes longer than a second.
  const said = stderr.replace(/^\w+\/\d+: \d+ % of offsets .*\n/gm, '')
  expect({ place, code, stderr: said }).toEqual({ place, code: 0, stderr: '' })
  return stdout
}

/** Runs a program that listens on, until it has printed so many lines. */
async function linesOf(command: string, args: readonly string[], count: number): Promise<string[]> {
  const child = await start(command, args)
  const ended = once(child, 'close')
  let [stdout, stderr] = ['', '']
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      if (stdout.split('\n').length > count) resolve()
    })
    child.once('close', () => resolve())
  })
  child.kill()
  await ended
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, count)
}

describe('README and docs', () => {
  it('have no snippet that is neither run here nor said to be run elsewhere', () => {
    const known = new Set([...Object.values(run), ...notRun.map(({ file, part }) => snippetWith(file, part))])
    expect(snippets.filter((snippet) => !known.has(snippet)).map(({ place }) => place)).toEqual([])
    expect(known.size).toBe(Object.keys(run).length + notRun.length)
  })

  it('name one variable for the key, and no other', () => {
    const named = documentFiles.flatMap((file) => [
      ...documentText(file).matchAll(/(?:Bearer \$\{?|process\.env\.|\$\{env:)([A-Z_]*KEY)\b/g),
    ])
    expect(named.length).toBeGreaterThan(10)
    expect(new Set(named.map(([, name]) => name))).toEqual(new Set([KEY_VARIABLE]))
  })

  it('README, “Ask it”', async () => {
    const answers = jsonLines(await shell(run.readme))
    expect(answers).toMatchObject([
      { country: 'USA', period: '2026-04', base_period: '2010' },
      { country: 'DEU', period: '2022-03', unit: 'percent' },
      { observations: [{ country: 'JPN' }, { country: 'JPN' }, { country: 'JPN' }] },
      { events: [{ type: 'economics.release.revised' }, { type: 'economics.release.revised' }] },
      { symbol: 'XAU-EUR', currency: 'EUR' },
    ])
  })

  it('docs/backup.md, a backup, its check and a restore', async () => {
    expect(await shell(run.backup)).toContain('./backup holds journal')
    expect(await shell(run.backupCheck)).toContain('no damage found')
    expect(await shell(run.restore)).toContain('`npm start` with these settings runs on it')
  })

  it('README, the stream of prices', async () => {
    const lines = await linesOf('bash', ['-c', `exec ${onTheirPorts(run.listen.text.replace(/^#.*\n/, ''))}`], 5)
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['ready', 'subscribed', 'commodity', 'fx', 'fx'])
  })

  it('docs/tutorial.md, a figure', async () => {
    await shell(run.tutorialKey)
    expect(jsonLines(await shell(run.tutorialFigure))).toEqual(jsonLines(run.tutorialAnswer.text))
  })

  it('docs/tutorial.md, the stream of a price', async () => {
    const lines = await linesOf('bash', ['-c', `exec ${onTheirPorts(run.tutorialPrices.text)}`], 3)
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['ready', 'subscribed', 'commodity'])
  })

  it('docs/tutorial.md, a page of events, and the stream from its cursor', async () => {
    const linesIn = (text: string) => text.trimEnd().split('\n')
    const page = linesIn(await shell(run.tutorialPage))
    const replayed = linesIn(await shell(run.tutorialReplay))
    expect([page.length, replayed.length]).toEqual([2, 3])
    const { keys } = service
    const address = `${base}/v1/events?country=USA&family=output&limit=5`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${(await keys()).pro}` } })
    const { events } = (await answer.json()) as { events: { sequence: string; subject: string }[] }
    expect([...page, ...replayed]).toEqual(events.map(({ sequence, subject }) => `${sequence} ${subject}`))
    expect(linesIn(await shell(run.tutorialReplay))).toEqual(replayed)
  })

  it('docs/tutorial.md, a file of one’s own', async () => {
    expect(await shell(run.tutorialFile)).toContain('2 new')
    // The page promises the figure within a second.
    const ask = () => shell(run.tutorialOwn).then(JSON.parse)
    await expect.poll(ask).toMatchObject({ country: 'NZL', period: '2026-07', rate: '5.0' })
    expect(await shell(run.tutorialRevised)).toContain('1 revised, 1 unchanged')
    await expect.poll(ask).toMatchObject({ country: 'NZL', period: '2026-07', rate: '4.9' })
  })

  it('docs/clickhouse.md, SQL by TCP', async () => {
    // Its first line starts the service, which this test has done with the same setting.
    const [first = '', ...rest] = run.sql.text.split('\n')
    expect(first).toBe('ALMANAC_STORE_PORT=8123 npm start')
    expect(Number(await shell({ ...run.sql, text: rest.join('\n') }))).toBeGreaterThan(1_000)
  })

  it('docs/your-own-projection.md', async () => {
    expect(documentText('docs/examples/gdp-revisions.ts')).toContain(run.projectionFile.text)
    expect(await shell(run.projection)).toContain('user_gdp_revisions: has all records up to the end of the journal')
    expect(await readFile(join(home, 'gdp-revisions.svg'), 'utf8')).toBe(
      documentText('docs/examples/gdp-revisions.svg'),
    )
    const { tcp } = JSON.parse(await readFile(join(home, 'var/store.json'), 'utf8'))
    const headers = { 'X-ClickHouse-Key': tcp.password }
    const answer = await fetch(tcp.url, { method: 'POST', headers, body: run.projectionSql.text })
    const lines = (await answer.text()).split('\n')
    expect(lines).toContain('2024-Q3\t[29349924000000,29354321000000,29374914000000,29511664000000]')
  })

  it('docs/rest.md', () => restExamples(shell, (name) => readFile(join(home, name), 'utf8')))

  it('docs/where-a-figure-comes-from.md', async () => {
    expect(await shell(run.link)).toMatch(
      /^link: <\/v1\/releases\/rel_\w{26}>; rel="describedby", <.*>; rel="collection"\r\n$/,
    )
    const release = JSON.parse(await shell(run.release))
    expect(release).toMatchObject({ indicator: 'gdp-growth', derivation: 'growth_from_volume', provenance: null })
    expect(release.inputs[0]).toMatchObject({
      indicator: 'gdp-volume',
      provenance: {
        publisher: 'Department of Statistics Malaysia',
        sha256: '5bab977a26f94e3881ce988d24d744c8fecdc10091769fa6cfbae4e21da71ee7',
        copy: { holder: 'github.com/lordirfan99/rakyathub', is_transcribed: false },
        file: { name: 'gdp-volume-MYS-dosm.csv', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    })
  })

  it('docs/calendar.md', async () => {
    const calendar = await shell(run.calendar)
    expect(calendar).toContain('"period":"2026-Q2","status":"published","expected_on":"2026-07-28"')
    expect(calendar).toContain('country,indicator,series,period,status,')
    expect(await shell(run.cancel)).toMatch(
      /^USA cpi 2026-10 is cancelled\.\n[\s\S]*USA {2}cpi {2}2026-10 {2}cancelled {2}\S+ {2}Not collected[\s\S]*\nUSA cpi 2026-10 is restored\.\n$/,
    )
    const [listed, refused] = jsonLines(await shell(run.neverPublished))
    const entries: { indicator: string; period: string }[] = Object(listed).entries
    expect(entries.map(({ indicator, period }) => `${indicator} ${period}`)).toEqual([
      'cpi 2025-10',
      'inflation 2025-10',
      'labour-force-participation 2025-10',
      'unemployment 2025-10',
      'inflation 2025-11',
      'inflation 2026-10',
    ])
    expect(refused).toMatchObject({ code: 'never_published', detail: expect.stringContaining('needs cpi of 2025-10') })
    expect(await shell(run.stateNeverPublished)).toBe('DEU unemployment 2025-05 was never published.\n')
    await expect
      .poll(async () => JSON.parse(await shell(run.calendarEvents)).events.map(({ type }: { type: string }) => type))
      .toEqual(expect.arrayContaining(['calendar.release.cancelled', 'calendar.release.restored']))
    expect(await shell(run.feed)).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/)
  })

  it('docs/as-of.md', async () => {
    const [latest, calendar] = jsonLines(await shell(run.asOfADay))
    expect(latest).toMatchObject({
      country: 'USA',
      period: '2024-Q1',
      value: '28284498000000',
      released_on: '2024-04-25',
    })
    expect(calendar?.entries).toHaveLength(2)
    const [estimated] = jsonLines(await shell(run.estimated))
    expect(estimated).toMatchObject({
      vintages: expect.arrayContaining([
        expect.objectContaining({ period: '2025-Q2', released_on_basis: 'estimated' }),
      ]),
    })
  })

  it('docs/rest.md, events since a time and from a sequence', async () => {
    const [, second] = jsonLines(await shell(run.since))
    expect(second).toMatchObject({ events: [{ sequence: '00000000000000000042' }, {}, {}, {}, {}], has_more: true })
  })

  it('docs/rest.md, events in one answer', async () => {
    const [end] = jsonLines(await shell(run.exported))
    const lines = jsonLines(await readFile(join(home, 'output.ndjson'), 'utf8'))
    expect(lines.length).toBeGreaterThan(100)
    expect(end).toEqual({ cursor: expect.stringMatching(/^v1\./), count: lines.length - 1, complete: true })
    expect(lines[0]).toMatchObject({ family: 'output' })
  })

  it('docs/prices.md, candles and ticks', async () => {
    const [json = '', ...csv] = (await shell(run.candles)).replace('start,open', '\nstart,open').split('\n')
    expect(JSON.parse(json)).toMatchObject({ symbol: 'XAU-EUR', interval: '1m', derived: true })
    expect(csv[0]?.trim()).toBe('start,open,high,low,close,ticks,sources')
    const pairs = [
      { symbol: 'XAU-EUR', derived: true },
      { symbol: 'EUR-USD', derived: false },
    ]
    expect(JSON.parse(await shell(run.candlesOfPairs))).toMatchObject({ pairs })
    // Ticks reach the read models within the time for which they are gathered.
    await expect
      .poll(async () => jsonLines(await shell(run.ticks))[0])
      .toMatchObject({ symbol: 'EUR-USD', ticks: [{ source: 'ECB' }, { source: 'ECB' }, {}] })
  })

  it('docs/prices.md, the history of restated prices', async () => {
    const said = await shell(run.priceHistory)
    expect(said).toContain('"source":"WB","observed_at":"2021-08-31T23:59:59.999Z","price":"1785.28","restates":null')
    expect(said).toMatch(/var\/gold-history holds 24 records in 1 csv file\./)
  })

  it('docs/quarantine.md, the list of rejected inputs', async () => {
    expect(await shell(run.quarantine)).toMatch(/^No rejected inputs\. .*\n$/)
  })

  it('docs/export.md, slices of the journal', async () => {
    const said = await shell(run.exports)
    expect(said).toMatch(/var\/usa holds [1-9][\d,]* records in 1 parquet file\./)
    expect(said).toContain('var/usa: 1 file checked, no damage found; the export is complete')
  })

  it('docs/supply-chain.md, the bill of materials', async () => {
    await shell(run.sbom)
    expect(existsSync(join(home, 'sbom.json'))).toBe(true)
  })

  it.each([
    ['prices', run.prices],
    ['events', run.events],
    ['predictions', run.predictions],
  ])('docs/streams.md, the subscribe of %s', async (stream, { text }) => {
    const authorization = `Bearer ${(await service.keys()).pro}`
    const socket = new WebSocket(`${streamBase}/v1/${stream}/stream`, { headers: { authorization } })
    const types: string[] = []
    const answered = new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data)) as { type: string }
        types.push(type)
        if (type === 'ready') socket.send(text)
        else resolve()
      })
    })
    await answered
    socket.terminate()
    expect(types.slice(0, 2)).toEqual(['ready', 'subscribed'])
  })

  it('docs/streams.md, the client that follows the events', async () => {
    const file = join(home, 'follow.mjs')
    await writeFile(file, onTheirPorts(run.follow.text))
    const lines = await linesOf(process.execPath, [file], 20)
    expect(lines[0]).toMatch(/^[A-Z]{3}\/gdp/)
  })

  it('docs/streams.md, a ticket for a web page', async () => {
    const { text } = snippetWith('docs/streams.md', 'response.end(')
    const [server = '', page = ''] = text.split('// The page\n')
    const program = [
      `import { WebSocket } from 'ws'`,
      'let handed = ""',
      'const response = { end: (body) => { handed = body } }',
      onTheirPorts(server),
      'const document = { set title(price) { console.log(price) } }',
      'const fetchTicket = globalThis.fetch',
      'globalThis.fetch = async () => ({ json: async () => JSON.parse(handed) })',
      // A page's browser sends its origin by itself.
      page.replace('new WebSocket(url)', `new WebSocket(url, { headers: { origin: 'http://localhost:3000' } })`),
    ]
    const file = join(home, 'page.mjs')
    await writeFile(file, program.join('\n'))
    const [price = ''] = await linesOf(process.execPath, [file], 1)
    expect(Number(price)).toBeGreaterThan(0)
  })

  it('docs/rest.md shows the configuration of MCP that /docs shows', async () => {
    const { mcpServers } = JSON.parse(onTheirPorts(snippetWith('docs/rest.md', '"mcpServers"').text))
    const page = (await (await fetch(`${base}/docs`)).text()).replaceAll('&quot;', '"')
    const [, shown = ''] = /<pre data-base="[^"]*">([\s\S]*?)<\/pre>/.exec(page) ?? []
    expect(JSON.parse(shown)).toEqual({ mcpServers })
    const { url, headers } = mcpServers.almanac
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: headers.Authorization.replace(`\${${KEY_VARIABLE}}`, (await service.keys()).pro),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(await answer.json()).toMatchObject({ result: { tools: expect.arrayContaining([expect.anything()]) } })
  })

  it('docs/rest.md says how long an answer over MCP may be', async () => {
    const [, bound] = /Answers have at most (\d+) kB/.exec(documentText('docs/rest.md')) ?? []
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${(await service.keys()).pro}` }
    const ask = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return await (await fetch(`${base}/mcp`, { method: 'POST', headers, body })).text()
    }
    const { tools } = JSON.parse(await ask('tools/list', {})).result as {
      tools: { name: string; inputSchema: { required: string[]; examples: [Record<string, unknown>] } }[]
    }
    // As few arguments as can be, so that lists are as long as they are without being asked for more.
    const calls = tools.map(({ name, inputSchema: { required, examples } }) => ({
      name,
      arguments: Object.fromEntries(required.map((argument) => [argument, examples[0][argument]])),
    }))
    for (const filter of [{ type: ['economics.release.revised'] }, { family: ['predictions'] }])
      calls.push({ name: 'events_list', arguments: filter })
    for (const call of calls) {
      const answer = await ask('tools/call', call)
      expect(answer, call.name).not.toContain('"isError":true')
      expect(answer.length, JSON.stringify(call)).toBeLessThan(Number(bound) * 1000)
    }
  })

  const commands = documentFiles.flatMap((file) =>
    [...documentText(file).matchAll(/\.\/almanac ([a-z]+)((?: [^`\n#|]*)?)/g)].map(([, name = '', rest = '']) => ({
      file,
      name,
      rest: rest.trim(),
    })),
  )
  it('name commands that there are, with options that they have', async () => {
    expect(commands.length).toBeGreaterThan(10)
    const usages = new Map<string, string>()
    for (const name of new Set(commands.map((command) => command.name))) {
      if (name === 'help') continue
      // `import` is the other name of `restore`.
      const file = name === 'import' ? 'restore' : name
      const { command } = (await import(`../../cli/commands/${file}.ts`)) as { command: Command }
      usages.set(name, `${command.usage}\n${await command.details?.()}`)
    }
    for (const { file, name, rest } of commands.filter(({ name }) => name !== 'help')) {
      for (const [option] of rest.matchAll(/--[a-z-]+/g))
        expect(usages.get(name), `${file}: ${name} ${rest}`).toContain(option)
      const [action = ''] = rest.split(' ')
      if (/^[a-z]+$/.test(action))
        expect(usages.get(name), `${file}: ${name} ${rest}`).toMatch(new RegExp(`\\b${action}\\b`))
    }
  })

  it.each(['schedule', 'doctor', 'verify', 'journal check', 'replay releases', 'help', '--version'])(
    'almanac %s ends well beside the service',
    async (command) => {
      const result = await runCommand(command.split(' '), { ...settings, ALMANAC_DATA_DIR: join(home, 'var') })
      expect(result).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^.{4}/s) })
    },
  )
})
