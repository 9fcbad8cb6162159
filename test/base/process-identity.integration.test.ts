import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { currentProcess, fateOf } from '../../base/process/process-identity.ts'
import { UNTIL_MS } from '../support/patience.ts'

describe('a process identity', () => {
  it('is that of a running process only while it runs', async () => {
    expect(fateOf(currentProcess)).toBe('running')
    const child = spawn('sleep', ['60'])
    expect(fateOf({ ...currentProcess, pid: child.pid as number })).toBe('gone')
    child.kill('SIGKILL')
  })

  it('is not shared by a later process with the same pid, nor by one before a reboot', () => {
    expect(fateOf({ ...currentProcess, started: '1' })).toBe('gone')
    expect(fateOf({ ...currentProcess, boot: 'another' })).toBe('gone')
  })

  it('leaves a process of another container to its heartbeat', () => {
    expect(fateOf({ ...currentProcess, pid: 2 ** 22 + 1, namespace: 'pid:[1]' })).toBe('unknown')
  })

  it('falls back to the pid alone where the system tells no more', () => {
    expect(fateOf({ ...currentProcess, started: null })).toBe('running')
    expect(fateOf({ ...currentProcess, started: null, pid: 2 ** 22 + 1 })).toBe('gone')
  })

  it.runIf(process.platform === 'linux')('does not outlive its process as a zombie', async () => {
    // The shell starts a child, then becomes a program that never waits for it.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve))).toString().split('\n')
    const fields = async () => (await readFile(`/proc/${line}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    const identity = { ...currentProcess, pid: Number(line), started: (await fields())[19] as string }
    await vi.waitFor(async () => expect((await fields())[0]).toBe('Z'), { timeout: UNTIL_MS })
    expect(fateOf(identity)).toBe('gone')
    parent.kill('SIGKILL')
  })
})
