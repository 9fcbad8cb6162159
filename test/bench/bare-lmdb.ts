/** The ceiling of the embedded journal: bare LMDB, durable before the next batch. */
import { open } from 'lmdb'

export const BATCH = 1_000
export const BATCHES = 100
export const RECORDS = BATCH * BATCHES

type Bare = ReturnType<typeof openBare>
export const openBare = (path: string) => open({ path, encoding: 'binary', keyEncoding: 'binary', noSubdir: false })

const keyOf = (n: number): Buffer => {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE(1)
  key.writeBigUInt64BE(BigInt(n), 4)
  return key
}

/** `from`: the batch whose keys come first, so that every round appends. */
export async function appendBare(bare: Bare, value: () => Uint8Array, from = 0): Promise<void> {
  for (let batch = from; batch < from + BATCHES; batch++) {
    await bare.transaction(() => {
      for (let i = 0; i < BATCH; i++) bare.put(keyOf(batch * BATCH + i), value())
    })
    await bare.flushed
  }
}

export function readBare(bare: Bare): number {
  let size = 0
  for (const { value } of bare.getRange({ start: keyOf(0), end: keyOf(RECORDS) })) size += (value as Buffer).length
  return size
}
