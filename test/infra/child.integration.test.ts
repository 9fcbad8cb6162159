import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProgram } from '../../infra/services/child.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A Node script as the program; it serves once it has printed `up`. */
async function program(script: string) {
  const logFile = join(await temporaryDirectory(), 'program.log')
  const ups = async () => (await readFile(logFile, 'utf8')).split('\n').filter((line) => line === 'up').length
  let starts = 0
  return {
    name: 'TEST program',
    command: process.execPath,
    args: ['-e', script],
    ports: [],
    install: 'TEST install it',
    logFile,
    ready: async () => (await ups()) > starts && ++starts > 0,
  }
}

const FOREVER = 'console.log("up"); setInterval(() => {}, 1000)'

describe('a program beside us', () => {
  it('is stopped, killed and started again', async () => {
    const service = await startProgram(await program(FOREVER))
    const { pid } = service
    expect(isAlive(pid)).toBe(true)
    await service.kill()
    expect(isAlive(pid)).toBe(false)
    await service.start()
    expect(service.pid).not.toBe(pid)
    await service.stop()
    expect(isAlive(service.pid)).toBe(false)
    await service.stop()
  })
  it('that ends before it serves is reported with its last words', async () => {
    const spec = await program('console.log("first"); console.error("TEST no space"); process.exit(3)')
    await expect(startProgram(spec)).rejects.toThrow(/TEST program ended before it served[\s\S]*TEST no space/)
  })
  it('that is not on the machine is reported with what to install', async () => {
    const spec = { ...(await program('')), command: 'almanac-TEST-no-such-program' }
    await expect(startProgram(spec)).rejects.toThrow('is not installed: TEST install it')
  })
  it('is not started where another program has its port, and would answer for it', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const spec = { ...(await program(FOREVER)), ports: [port] }
    await expect(startProgram(spec)).rejects.toThrow(`port ${port} is in use`)
  })
  it('is gone when we are, even by SIGKILL', async () => {
    const dir = await temporaryDirectory()
    const child = new URL('../../infra/services/child.ts', import.meta.url).href
    const file = join(dir, 'parent.mjs')
    await writeFile(
      file,
      `import { startProgram } from '${child}'
       const service = await startProgram({
         name: 'x', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], ports: [], install: '',
         logFile: '${join(dir, 'x.log')}', ready: async () => true,
       })
       console.log(service.pid)`,
    )
    const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await until('the child to be gone', () => !isAlive(pid))
  })
})
