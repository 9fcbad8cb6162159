import { expect, it } from 'vitest'
import { CursorSaver } from '../../clients/typescript/src/cursor-saver.ts'
import { until } from '../support/journal.ts'

/** A store that writes when it is told to. */
function slowStore() {
  const saved: string[] = []
  const writing: (() => void)[] = []
  const save = (cursor: string) =>
    new Promise<void>((resolve) => {
      writing.push(() => {
        saved.push(cursor)
        resolve()
      })
    })
  return {
    saved,
    isWriting: () => writing.length > 0,
    write: () => writing.shift()?.(),
    store: { load: () => null, save },
  }
}

it('a cursor that comes while another is written is written next, and those between are left out', async () => {
  const { saved, isWriting, write, store } = slowStore()
  const saver = new CursorSaver(store)
  const all = ['c1', 'c2', 'c3'].map((cursor) => saver.save(cursor))
  write()
  expect(saved).toEqual(['c1'])
  await until('the next one is being written', () => isWriting())
  write()
  await Promise.all(all)
  expect(saved).toEqual(['c1', 'c3'])
})

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'a cursor that comes %i microtasks after a write is not left out',
  async (delay) => {
    const saved: string[] = []
    const saver = new CursorSaver({ load: () => null, save: async (cursor) => void saved.push(cursor) })
    const first = saver.save('c1')
    for (let turn = 0; turn < delay; turn++) await undefined
    await saver.save('c2')
    expect(saved).toEqual(['c1', 'c2'])
    await first
  },
)

it('a failed write is told, and the next one is tried', async () => {
  const outcomes = [() => Promise.reject(new Error('full')), () => Promise.resolve()]
  const saver = new CursorSaver({ load: () => null, save: () => outcomes.shift()?.() })
  await expect(saver.save('c1')).rejects.toThrow('full')
  await saver.save('c1')
  expect(outcomes).toEqual([])
})
