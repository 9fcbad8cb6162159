import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { currentProcess } from '../../base/process/process-identity.ts'

import { newDir, remove } from '../journal/support/embedded-world.ts'

describe('a gate', () => {
  const directory = async () => {
    const dir = await newDir()
    onTestFinished(() => remove(dir))
    return dir
  }

  it('lets nobody open or close while others commit, open or close, and commits go on beside each other', async () => {
    const dir = await directory()
    const gates = Array.from({ length: 4 }, () => new CommitGate(dir))
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
    const inside = { doors: 0, commits: 0 }
    const most = { doors: 0, commits: 0 }
    const be = (kind: 'doors' | 'commits') => async () => {
      inside[kind]++
      most[kind] = Math.max(most[kind], inside[kind])
      expect(inside.doors).toBeLessThanOrEqual(inside.commits === 0 ? 1 : 0)
      await pause()
      inside[kind]--
    }
    const visit = async (gate: CommitGate) => {
      for (let i = 0; i < 15; i++) {
        await pause()
        if (Math.random() < 0.3) await gate.exclusively(be('doors'))
        else await gate.committing(be('commits'))
      }
    }
    await Promise.all(gates.map(visit))
    expect(most.doors).toBe(1)
    expect(most.commits).toBeGreaterThan(1)
    for (const gate of gates) gate.close()
    expect(await readdir(dir)).toEqual([])
  })

  const mark = (kind: string, namespace: string | null, started: string) =>
    [kind, process.pid, started, currentProcess.boot ?? '', namespace ?? '', 'left behind'].join('~')

  it('is not held up by what killed processes have left behind, and clears it away', async () => {
    const dir = await directory()
    const left = ['door', 'commits'].map((kind) => mark(kind, currentProcess.namespace, '1'))
    for (const name of left) await writeFile(join(dir, name), '1')
    const gate = new CommitGate(dir)
    expect(await gate.committing(async () => 'committed')).toBe('committed')
    expect(await gate.exclusively(() => 'opened')).toBe('opened')
    gate.close()
    expect(await readdir(dir)).toEqual([])
  })

  it('ends a process that fails in the middle of a commit, and with it what others would wait for', async () => {
    const dir = await directory()
    const program = join(import.meta.dirname, 'support', 'fails-while-committing-main.ts')
    const ended = await new Promise<{ signal: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [program, dir], (error, _, stderr) => resolve({ signal: error?.signal, stderr }))
    })
    expect(ended.signal).toBe('SIGKILL')
    expect(ended.stderr).toContain('Error: a fault of the program')
    const gate = new CommitGate(join(dir, 'processes'))
    expect(await gate.exclusively(() => 'opened')).toBe('opened')
    gate.close()
  })

  it('has a true mark after a disk was full, and a commit that is on disk does not fail', async () => {
    const dir = await directory()
    const gate = new CommitGate(dir)
    const [mark = ''] = await readdir(dir)
    const isMarked = async () => Number(await readFile(join(dir, mark), 'latin1')) % 2 === 1
    const run = vi.fn(isMarked)
    // A disk on which what is overwritten needs new blocks: no disk of a test does.
    const disk = { isFull: false }
    const write = fs.writeSync
    const writing = vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
      if (disk.isFull) throw new Error('no space left')
      return Reflect.apply(write, fs, args)
    })
    syncBuiltinESMExports()
    onTestFinished(() => {
      writing.mockRestore()
      syncBuiltinESMExports()
    })
    disk.isFull = true
    await expect(gate.committing(run)).rejects.toThrow('no space left')
    expect(run).not.toHaveBeenCalled()
    disk.isFull = false
    expect([await gate.committing(run), await isMarked()]).toEqual([true, false])
    const filling = async () => {
      disk.isFull = true
      return 'committed'
    }
    expect(await gate.committing(filling)).toBe('committed')
    expect([await isMarked(), gate.isCommitting]).toEqual([true, false])
    disk.isFull = false
    const other = new CommitGate(dir)
    expect(await other.exclusively(() => 'opened')).toBe('opened')
    expect([await gate.committing(run), await isMarked()]).toEqual([true, false])
    for (const each of [gate, other]) each.close()
    expect(await readdir(dir)).toEqual([])
  })

  it('waits a while, but not for ever, for a process of another container that may be dead', async () => {
    const dir = await directory()
    for (const kind of ['door', 'commits']) await writeFile(join(dir, mark(kind, 'pid:[1]', '1')), '1')
    for (const enter of ['exclusively', 'committing'] as const) {
      const gate = new CommitGate(dir, 200)
      const since = performance.now()
      await gate[enter](async () => undefined)
      expect(performance.now() - since).toBeGreaterThan(190)
      gate.close()
    }
  })

  it('knows whether anybody else has the environment open', async () => {
    const dir = await directory()
    const gate = new CommitGate(dir, 200)
    expect(await gate.isAlone()).toBe(true)
    const other = new CommitGate(dir)
    expect(await gate.isAlone()).toBe(false)
    other.close()
    expect(await gate.isAlone()).toBe(true)
    await writeFile(join(dir, mark('commits', 'pid:[1]', '1')), '1')
    expect(await gate.isAlone()).toBe(true)
    gate.close()
  })
})
