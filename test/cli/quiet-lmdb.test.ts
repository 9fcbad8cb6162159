import { expect, it, onTestFinished, vi } from 'vitest'
import { quietLmdb } from '../../cli/quiet-lmdb.ts'

it('leaves out what lmdb-js prints of a failed commit, and nothing else', () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { error: spied } = console
  onTestFinished(() => {
    console.error = spied
    printed.mockRestore()
  })
  quietLmdb()
  const failed = Object.assign(new Error('Input/output error'), {
    stack: 'Error: Input/output error\n    at Function.<anonymous> (file:///TEST/node_modules/lmdb/write.js:516:7)',
  })
  console.error(failed)
  expect(printed).not.toHaveBeenCalled()
  const others = [new Error('ours'), 'text', 'In beforecommit callback']
  for (const other of others) console.error(other)
  console.error('In beforecommit callback', failed)
  expect(printed.mock.calls).toEqual([...others.map((other) => [other]), ['In beforecommit callback', failed]])
})
