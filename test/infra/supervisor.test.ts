import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { supervise } from '../../infra/supervisor.ts'
import { temporaryDirectory, until } from '../support/journal.ts'

/** A process that notes each of its starts and then ends itself with a signal. */
async function crashing(signal: string): Promise<{ file: string; starts: () => Promise<number> }> {
  const dir = await temporaryDirectory()
  const [file, note] = [join(dir, 'crashing.mjs'), join(dir, 'starts')]
  await writeFile(
    file,
    `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(note)}, '.')\nprocess.kill(process.pid, ${JSON.stringify(signal)})\nsetInterval(() => undefined, 1_000)\n`,
  )
  return {
    file,
    starts: () =>
      readFile(note, 'utf8').then(
        ({ length }) => length,
        () => 0,
      ),
  }
}

const silent = { error: () => undefined } as unknown as Parameters<typeof supervise>[1]

it.each(['SIGSEGV', 'SIGBUS', 'SIGABRT'])(
  'does not start a process again that %s ended on damaged files',
  async (signal) => {
    const { file, starts } = await crashing(signal)
    const gaveUp: number[] = []
    const diagnose = async () => 'TEST/data.mdb is damaged: restore a backup'
    const running = supervise({ name: 'node', file, args: [], env: {}, diagnose }, silent, (code) => gaveUp.push(code))
    onTestFinished(() => running.stop())
    await expect(running.ready).rejects.toThrow('TEST/data.mdb is damaged: restore a backup')
    expect([gaveUp, await starts()]).toEqual([[78], 1])
  },
)

it('starts it again where its files are sound, and where a kill ended it', async () => {
  for (const signal of ['SIGSEGV', 'SIGKILL']) {
    const { file, starts } = await crashing(signal)
    let asked = 0
    const diagnose = async () => {
      asked++
      return undefined
    }
    const running = supervise({ name: 'node', file, args: [], env: {}, diagnose }, silent, () => undefined)
    onTestFinished(() => running.stop())
    await until('it is started again', async () => (await starts()) > 1)
    await running.stop()
    expect(asked > 0).toBe(signal === 'SIGSEGV')
  }
})
