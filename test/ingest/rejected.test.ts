import { expect, it } from 'vitest'
import { faultOfCounted, keepIfRoom, noRowsKept } from '../../ingest/accept/rejected.ts'
import { keptLimits } from '../../ingest/limits.ts'

const fault = (location: string) => ({ reason: 'not_a_decimal', detail: '', location })

it('rows that are kept are bounded by their number and by their bytes, and the others are counted', () => {
  for (const [size, most] of [
    [1, keptLimits.rows],
    [keptLimits.rowBytes, keptLimits.rowsBytes / keptLimits.rowBytes],
    // Only so many bytes of a row are kept.
    [2 * keptLimits.rowBytes, keptLimits.rowsBytes / keptLimits.rowBytes],
  ] as const) {
    const kept = noRowsKept()
    const bytes = new Uint8Array(size)
    let count = 0
    for (let i = 0; i < most + 3; i++) if (keepIfRoom(kept, fault(`line ${i}`), bytes)) count++
    expect(count, `rows of ${size} bytes`).toBe(most)
    expect(faultOfCounted(kept)).toMatchObject({ reason: 'more_rejected', location: `line ${most}` })
    expect(faultOfCounted(kept)?.detail).toContain('3 not_a_decimal')
  }
})
