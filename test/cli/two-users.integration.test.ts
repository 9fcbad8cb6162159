import { spawn } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory, until } from '../support/journal.ts'

const NOBODY = 65_534
const program = join(import.meta.dirname, '../../cli/almanac.mjs')

function run(user: number, dataDir: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: '/',
    uid: user,
    gid: user,
    env: { PATH: process.env.PATH, ALMANAC_DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr }))) }
}
const WELL = { code: 0, stderr: '' }

/** Every path below a directory, itself included, that isn't nobody's. */
const foreignBelow = (path: string): string[] => {
  const found = lstatSync(path)
  const below = found.isDirectory() ? readdirSync(path).flatMap((name) => foreignBelow(join(path, name))) : []
  return found.uid === NOBODY && found.gid === NOBODY ? below : [path, ...below]
}

/** A data directory of nobody's, with a journal. */
async function ofNobody(): Promise<string> {
  const directory = await temporaryDirectory()
  chmodSync(directory, 0o755)
  const dataDir = join(directory, 'var')
  mkdirSync(dataDir, { mode: 0o700 })
  chownSync(dataDir, NOBODY, NOBODY)
  expect(await run(NOBODY, dataDir, 'journal', 'init').ended).toEqual(WELL)
  return dataDir
}

const create = ['keys', 'create', '--plan', 'pro', '--owner', 'TEST']

describe.skipIf(process.geteuid?.() !== 0)('a command of root, on the data directory of another user', () => {
  it('leaves the journal open to its owner while it runs', async () => {
    const dataDir = await ofNobody()
    const processes = join(dataDir, 'journal/processes')
    const ofRoot = run(0, dataDir, 'replay', 'events', '--follow')
    await until('root has the journal open', () => readdirSync(processes).some((name) => name.startsWith('commits')))
    expect(await run(NOBODY, dataDir, ...create).ended).toEqual(WELL)

    // Earlier releases made these files readable for their owner only. A user who can't read a count waits for the end of
    // its process.
    for (const name of readdirSync(processes)) chmodSync(join(processes, name), 0o600)
    const waiting = run(NOBODY, dataDir, ...create)
    const isWaiting = () => readdirSync(processes).some((name) => name.startsWith('door'))
    let hasEnded = false
    void waiting.ended.then(() => (hasEnded = true))
    await until('the owner waits', () => isWaiting() || hasEnded)
    ofRoot.child.kill('SIGKILL')
    expect(await waiting.ended).toEqual(WELL)
  })

  it('leaves nothing there that its owner could not use or replace', async () => {
    const dataDir = await ofNobody()
    // As a backup may lack them.
    rmSync(join(dataDir, 'journal/lock.mdb'))
    rmSync(join(dataDir, 'journal/processes'), { recursive: true })
    rmSync(join(dataDir, 'access'), { recursive: true, force: true })
    expect(await run(0, dataDir, ...create).ended).toEqual(WELL)
    expect(await run(0, dataDir, 'keys', 'list').ended).toEqual(WELL)
    expect(foreignBelow(dataDir)).toEqual([])
    expect(await run(NOBODY, dataDir, ...create).ended).toEqual(WELL)

    // A note that a release before has left to root is replaced.
    const note = join(dataDir, 'journal/closed')
    chownSync(note, 0, 0)
    chmodSync(note, 0o600)
    expect(await run(NOBODY, dataDir, ...create).ended).toEqual(WELL)
    expect(foreignBelow(dataDir)).toEqual([])
  })
})
