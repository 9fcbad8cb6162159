import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runningServices, settingsToCopy } from '../../cli/running-services.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

/** A process that looks like a service on `dataDir`, of another user if one is given. */
async function standIn(dataDir: string, user?: number): Promise<ChildProcess> {
  const script = join(await temporaryDirectory(), 'almanac.mjs')
  chmodSync(join(script, '..'), 0o755)
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(script, 'process.stdout.write("up"); setInterval(() => undefined, 1_000)')
  chmodSync(script, 0o644)
  const child = spawn(process.execPath, [script, 'start'], {
    cwd: '/',
    env: { ALMANAC_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user !== undefined && { uid: user, gid: user }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let isUp = false
  child.stdout?.once('data', () => (isUp = true))
  await until('the stand-in runs', () => isUp && existsSync(`/proc/${child.pid}`))
  writeFileSync(join(dataDir, 'almanac.pid'), String(child.pid))
  return child
}

it('shows settings as words of a shell, without what a terminal would obey', async () => {
  const dataDir = join(await temporaryDirectory(), "a b'$(c)\u001b[31m")
  const { pid } = await standIn(dataDir)
  const shown = dataDir.replace('\u001b', '\\u{1b}').replace("'", `'\\''`)
  expect(settingsToCopy()).toContain(`ALMANAC_DATA_DIR='${shown}' (process ${pid})`)
})

it.skipIf(process.geteuid?.() !== 0)('names no service of another user, even to root', async () => {
  const root = await temporaryDirectory()
  const [ours, theirs] = [await standIn(join(root, 'ours')), await standIn(join(root, 'theirs'), 65_534)]
  const pids = runningServices().map(({ pid }) => pid)
  expect(pids).toContain(ours.pid)
  expect(pids).not.toContain(theirs.pid)
})
