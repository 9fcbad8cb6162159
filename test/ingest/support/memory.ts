import { publisherFiles } from '../../../ingest/publisher-memory.ts'
import { temporaryDirectorySync } from '../../support/journal.ts'

/** An empty memory of publishers' answers, gone with the test. */
export const newMemory = () => ({ memory: publisherFiles(temporaryDirectorySync()), readBy: 'test' })
