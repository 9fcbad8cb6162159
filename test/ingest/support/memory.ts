import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publisherFiles } from '../../../ingest/publisher-memory.ts'

/** An empty memory of publishers' answers. */
export const newMemory = (directory = mkdtempSync(join(tmpdir(), 'almanac-publishers-'))) => ({
  memory: publisherFiles(directory),
  readBy: 'test',
})
