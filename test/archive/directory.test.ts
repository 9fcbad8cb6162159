import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DirectoryStore } from '../../archive/directory.ts'
import { objectsContract } from '../contracts/objects-contract.ts'
import { temporaryDirectory } from '../support/journal.ts'

objectsContract('a directory', async () => new DirectoryStore(join(await temporaryDirectory(), 'archive')))

it('a directory keeps its files from other users, and leaves no unfinished file', async () => {
  const directory = join(await temporaryDirectory(), 'archive')
  const store = new DirectoryStore(directory)
  await store.put('data/a', new Uint8Array([1]))
  await store.putIfAbsent('data/a', new Uint8Array([2]))
  expect(await readdir(join(directory, 'unfinished'))).toEqual([])
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(join(directory, 'data/a'))).mode & 0o777).toBe(0o600)
})
it('a sweep deletes what killed writers left, and nothing younger', async () => {
  const directory = await temporaryDirectory()
  await mkdir(join(directory, 'unfinished'))
  for (const name of ['old', 'young']) await writeFile(join(directory, 'unfinished', name), 'x')
  await utimes(join(directory, 'unfinished', 'old'), 1_000, 1_000)
  await new DirectoryStore(directory).sweep(2_000_000)
  expect(await readdir(join(directory, 'unfinished'))).toEqual(['young'])
})
it('a directory that cannot be created is a fault that names it, also below /proc', async () => {
  const place = '/proc/almanac/archive'
  await expect(new DirectoryStore(place).put('data/a', new Uint8Array([1]))).rejects.toThrow(
    `${place}/data/a: ENOENT: no such file or directory, mkdir '/proc/almanac'`,
  )
})
