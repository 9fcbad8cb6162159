import { expect, it, onTestFinished, vi } from 'vitest'
import { ParserProcess } from '../../../ingest/parser/parser-process.ts'
import { ParserUnavailable } from '../../../ingest/source.ts'
import { document } from '../sources/fixture.ts'

/** Fails as a machine without free descriptors or processes does: by an event, after `spawn` has returned. */
vi.mock('node:child_process', async (original) => {
  const actual = await original<typeof import('node:child_process')>()
  const spawn = (_file: string, args: string[], options: object) => actual.spawn('/not/there', args, options)
  return { ...actual, spawn }
})

it('a parser that the system doesn’t start is no fault of the document', async () => {
  const parser = new ParserProcess()
  onTestFinished(() => parser.close())
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(Array.fromAsync(parser.parse('file', document('x')))).rejects.toBeInstanceOf(ParserUnavailable)
})
