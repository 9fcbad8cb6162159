import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, type JournalError } from '../../journal/journal.ts'
import { TickWriter, type TickWriterOptions } from './tick-writer.ts'

const AGAIN_MS = 500

/**
 * Runs `use` with the source's one writer, until `signal` aborts. When another process has taken the source over, or the
 * journal is away or full, it waits for its turn and starts `use` anew. Any other error is thrown.
 */
export async function ownWriter(
  options: TickWriterOptions & { readonly onTurnLost?: (error: JournalError) => void },
  use: (writer: TickWriter) => Promise<void>,
): Promise<void> {
  const { signal, onTurnLost } = options
  while (!signal.aborted) {
    try {
      const writer = await TickWriter.open(options)
      try {
        await use(writer)
      } finally {
        await writer.close()
      }
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error)) throw error
      onTurnLost?.(error)
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}
