import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../../infra/ports.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

const root = join(import.meta.dirname, '../..')
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0
const ROOM_MB = 400

/** A shell in which `$DISK` is a small file system of its own: what it is told to run, and what that said. */
function smallDisk(dir: string, env: Readonly<Record<string, string>>) {
  const script = `mount -t tmpfs -o size=${ROOM_MB}m tmpfs "$DISK" && while read -r line; do eval "$line" 2>&1; echo "exit $?"; done; kill 0`
  const shell = spawn('unshare', ['-rm', 'sh', '-c', script], {
    env: { ...process.env, ...env, DISK: dir, ALMANAC_DATA_DIR: join(dir, 'data') },
    stdio: ['pipe', 'pipe', 'inherit'],
    // A group of its own, which ends with its input.
    detached: true,
  })
  onTestFinished(async () => {
    shell.stdin.end()
    await new Promise((resolve) => shell.once('close', resolve))
  })
  const waiting: ((answer: { code: number; said: string }) => void)[] = []
  let said: string[] = []
  createInterface({ input: shell.stdout }).on('line', (line) => {
    const code = /^exit (\d+)$/.exec(line)?.[1]
    if (code === undefined) said.push(line)
    else {
      waiting.shift()?.({ code: Number(code), said: said.join('\n') })
      said = []
    }
  })
  return (command: string) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      waiting.push(resolve)
      shell.stdin.write(`${command}\n`)
    })
}

it.skipIf(!canMount)('a full disk is said by health and commands, and passes by itself', async () => {
  const [port, streamPort] = await freePorts(2)
  const dir = await temporaryDirectory()
  const run = smallDisk(dir, {
    ALMANAC_HTTP_PORT: String(port),
    ALMANAC_STREAM_PORT: String(streamPort),
    ALMANAC_LOG_LEVEL: 'warn',
    ALMANAC_DEMO: '0',
    ALMANAC_SCHEDULE: '0',
    ALMANAC_KAFKA_BROKERS: '',
    ALMANAC_REDIS_URL: '',
    ALMANAC_CLICKHOUSE_URL: '',
    ALMANAC_SCHEMA_REGISTRY_URL: '',
  })
  const almanac = `${process.execPath} ${join(root, 'cli/almanac.mjs')}`
  const health = async () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      async (answer) => (await answer.json()) as Record<string, string>,
      () => undefined,
    )
  const isWell = async () => (await health())?.status === 'ok'
  const figures = join(root, 'sample/figures')
  const ingest = (file: string) => run(`${almanac} ingest file ${join(figures, file)}`)

  // The log lies on the disk that fills up, too.
  expect((await run(`${almanac} start > "$DISK/log" 2>&1 &`)).code).toBe(0)
  await until('the service is well', isWell)
  // What the disk holds beside the service; it takes all that is left.
  const filled = await run(`head -c ${ROOM_MB}m /dev/zero > "$DISK/ballast"`)
  expect(filled).toMatchObject({ code: 1, said: expect.stringContaining('No space left') })
  const saysIt = async () => {
    const { status, journal, read_models, access } = (await health()) ?? {}
    return status === 'degraded' && [journal, read_models, access].every((part) => part === 'disk full')
  }
  await until('health says it of each part', saysIt)
  const full = await ingest('cpi-USA-bls.csv')
  expect(full.said).toMatch(
    /^almanac: full: no room in \S+.*: its file system has \d+\.\d MB free, and this write needs/m,
  )
  expect(full.said).toMatch(/: free some space there, and run it again/)
  expect(full.said).not.toMatch(/^ +at /m)
  expect(full.code).toBe(1)
  const doctor = await run(`${almanac} doctor`)
  expect(doctor.said).toMatch(/^BAD data directory .*0\.0 GB free\n +→ free some space/m)

  await run('rm "$DISK/ballast"')
  await until('health is well again', isWell)
  const after = await ingest('cpi-USA-bls.csv')
  expect([after.code, after.said]).toEqual([0, expect.stringMatching(/^total: \d+ new/m)])
  const verified = await run(`${almanac} verify`)
  expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('equal to the journal') })
})
