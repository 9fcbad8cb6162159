import { repeat } from '../../base/async/retry.ts'
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
  const once = async () => {
    const writer = await TickWriter.open(options)
    try {
      await use(writer)
    } finally {
      await writer.close()
    }
  }
  const { signal, onTurnLost } = options
  await repeat(once, { signal, isPassing, pauseMs: () => AGAIN_MS, onRetry: onTurnLost })
}
