import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const rooms = ['access', 'ingest', 'journal', 'processors', 'projections', 'streams']
const files = globSync(`{${rooms}}/**/*.ts`, { cwd: root })

/**
 * What reads a clock, waits or draws at random besides the port `base/time.ts`. `setImmediate` is among it, because the
 * order of turns of the event loop is one of the things that a seed draws. `process.nextTick` and `queueMicrotask` are
 * not: what they queue runs before the turn ends. A named import of `node:timers/promises` cannot be replaced at all.
 */
const aside =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\b|\bnode:(?:timers|perf_hooks)\b|\bhrtime\b|\bMath\.random\b|\brandom(?:UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b|\bAbortSignal\.timeout\b|\bsystemTime\.\w+/g

/** Files and folders that may use some of it, and why. */
const exempt: Readonly<Record<string, { readonly uses?: readonly string[]; readonly why: string }>> = {
  'access/redis/connection.ts': {
    uses: ['setTimeout', 'setImmediate'],
    why: 'limits how long a real server may take. Its answer counts as in time if it is read before an immediate runs.',
  },
  'access/tickets.ts': { uses: ['randomBytes'], why: 'a ticket is a secret, which nobody may guess from a seed.' },
  'ingest/fetch/http.ts': { uses: ['AbortSignal.timeout'], why: 'limits a real request.' },
  'ingest/parser/': {
    uses: ['AbortSignal.timeout', 'performance.now', 'setTimeout'],
    why: 'limits a child process, which runs by the time of the machine.',
  },
  'journal/embedded/claims.ts': {
    uses: ['randomUUID'],
    why: 'names the process that owns a claim. Two threads with one seed must not have one name.',
  },
  'journal/kafka/': {
    why: 'waits for real brokers, and gives up by what they do. In a simulation another adapter takes its place.',
  },
  'journal/served-registry.ts': {
    uses: ['AbortSignal.timeout', 'Math.random', 'setTimeout'],
    why: 'limits and repeats real requests, and spreads those of nodes that start at once.',
  },
  'projections/compare.ts': {
    uses: ['randomBytes'],
    why: 'is the key of checksums. Rows whose checksums cancel out must not be found from a seed.',
  },
  'projections/store/': { why: "runs ClickHouse's engine in a process, behind real sockets." },
}

const usesOf = (text: string): string[] =>
  (text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '').match(aside) ?? []).toSorted()
const usesIn = (file: string): string[] => usesOf(readFileSync(join(root, file), 'utf8'))
const exemptionsOf = (file: string): string[] => Object.keys(exempt).filter((place) => file.startsWith(place))

describe('time and chance', () => {
  it('come from the port alone, but for the exemptions', () => {
    const strays = files.flatMap((file) => {
      const allowed = exemptionsOf(file).map((place) => exempt[place])
      return usesIn(file)
        .filter((use) => !allowed.some((each) => each?.uses?.includes(use) ?? each !== undefined))
        .map((use) => `${file}: ${use}`)
    })
    expect(strays).toEqual([])
  })
  it('are exempt only where it is needed', () => {
    for (const [place, { uses }] of Object.entries(exempt)) {
      const found = new Set(files.filter((file) => file.startsWith(place)).flatMap(usesIn))
      expect(found.size, place).toBeGreaterThan(0)
      if (uses) expect([...found].toSorted(), place).toEqual(uses.toSorted())
    }
  })
  it.each([
    'const at = Date.now()',
    'new Date().toISOString()',
    'performance.now() - since',
    'const timer = setTimeout(fire, 10)',
    'setInterval(beat, ms).unref()',
    'setImmediate(flush)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
    "import { performance } from 'node:perf_hooks'",
    'process.hrtime.bigint()',
    'attempt * Math.random()',
    'crypto.randomUUID()',
    "import { randomBytes } from 'node:crypto'",
    'AbortSignal.timeout(ms)',
    'if (systemTime.now() > until) return',
  ])('would notice %s', (code) => {
    expect(usesOf(code)).not.toEqual([])
  })
  it.each([
    'new Date(time.now()).toISOString()',
    '/** Milliseconds of `Date.now()`. */',
    "fetch('https://example.org/') // not by Date.now()",
    'time = systemTime,',
    'process.nextTick(read)',
    "const unit = 'setTimeouts'",
  ])('finds nothing in %s', (code) => {
    expect(usesOf(code)).toEqual([])
  })
})
