import { repeat } from '../../base/async/retry.ts'
import { systemTime } from '../../base/time.ts'
import { isPassing } from '../../journal/journal.ts'
import { TickWriter, type TickWriterOptions } from './tick-writer.ts'

const AGAIN_MS = 500

/**
 * Runs `use` with the source's only writer until `signal` aborts. If another process has taken the source over, or the journal
 * is unavailable or full, it becomes a standby and calls `use` again once it owns the source. Throws any other error.
 */
export async function ownWriter(options: TickWriterOptions, use: (writer: TickWriter) => Promise<void>): Promise<void> {
  const once = async () => {
    const writer = await TickWriter.open(options)
    try {
      await use(writer)
    } finally {
      await writer.close()
    }
  }
  const { signal, onEvent, time = systemTime } = options
  await repeat(once, {
    signal,
    isPassing,
    pauseMs: () => AGAIN_MS,
    onRetry: (error) => onEvent?.({ type: 'turn_lost', error }),
    time,
  })
}
