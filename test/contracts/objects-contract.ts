import { describe, expect, it } from 'vitest'
import type { ObjectStore } from '../../archive/objects.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const textOf = (found: Uint8Array | undefined) => found && Buffer.from(found).toString()

async function namesIn(store: ObjectStore, folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list(folder)) names.push(name)
  return names
}

/** What every adapter of the object store port must do. `open` gives each case an empty store. */
export function objectsContract(name: string, open: () => Promise<ObjectStore>): void {
  describe(`objects in ${name}`, () => {
    it('are read as they were written, and replaced whole', async () => {
      const store = await open()
      const all = Uint8Array.from({ length: 70_000 }, (_, i) => i % 251)
      await store.put('data/a.bin', all)
      expect(Buffer.from((await store.get('data/a.bin')) ?? [])).toEqual(Buffer.from(all))
      await store.put('data/a.bin', bytes('shorter'))
      expect(textOf(await store.get('data/a.bin'))).toBe('shorter')
      await store.put('empty', bytes(''))
      expect(textOf(await store.get('empty'))).toBe('')
    })
    it('are read in parts', async () => {
      const store = await open()
      await store.put('a', bytes('0123456789'))
      expect(textOf(await store.get('a', { start: 2, end: 5 }))).toBe('234')
      expect(textOf(await store.get('a', { start: 8, end: 20 }))).toBe('89')
      expect(textOf(await store.get('a', { start: 0, end: 1 }))).toBe('0')
      expect(await store.size('a')).toBe(10)
    })
    it('are written only once if they must be absent', async () => {
      const store = await open()
      expect(await store.putIfAbsent('chain/x/1.json', bytes('first'))).toBe(true)
      expect(await store.putIfAbsent('chain/x/1.json', bytes('second'))).toBe(false)
      expect(textOf(await store.get('chain/x/1.json'))).toBe('first')
      expect(await namesIn(store, 'chain/')).toEqual(['chain/x/1.json'])
    })
    it('have one first writer among many', async () => {
      const store = await open()
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, i) => store.putIfAbsent('one', bytes(`writer ${i}`))),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(textOf(await store.get('one'))).toBe(`writer ${won.indexOf(true)}`)
    })
    it('are listed by folder, in the order of their names', async () => {
      const store = await open()
      const since = Date.now() - 60_000
      for (const place of ['data/b.x', 'data/a/2', 'data/a/1', 'data/a-b', 'database', 'chain/c', 'data/a.b'])
        await store.put(place, bytes(place))
      expect(await namesIn(store, 'data/')).toEqual(['data/a-b', 'data/a.b', 'data/a/1', 'data/a/2', 'data/b.x'])
      expect(await namesIn(store, 'data/a/')).toEqual(['data/a/1', 'data/a/2'])
      expect(await namesIn(store, 'nothing/')).toEqual([])
      for await (const { bytes: size, modified } of store.list('chain/')) {
        expect(size).toBe(7)
        expect(modified).toBeGreaterThan(since)
        expect(modified).toBeLessThan(Date.now() + 60_000)
      }
    })
    it('are gone when they are deleted', async () => {
      const store = await open()
      await store.put('data/a', bytes('a'))
      await store.delete('data/a')
      await store.delete('data/a')
      expect(await store.get('data/a')).toBeUndefined()
      expect(await store.get('data/a', { start: 0, end: 1 })).toBeUndefined()
      expect(await store.size('data/a')).toBeUndefined()
      expect(await namesIn(store, 'data/')).toEqual([])
      expect(await store.putIfAbsent('data/a', bytes('again'))).toBe(true)
    })
    it('have names that stay in the store', async () => {
      const store = await open()
      for (const outside of ['../a', '/a', 'a/../../b', '', 'a//b', 'a/', '.hidden', 'a\u0000b', 'a\\b'])
        await expect(store.put(outside, bytes('x')), outside).rejects.toThrow('is no name of an object')
    })
  })
}
