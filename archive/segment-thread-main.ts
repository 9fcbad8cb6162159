/** Main program of the thread of `SegmentThread`. An error ends it, and `SegmentThread` reports it. */
import { parentPort } from 'node:worker_threads'
import { sealedFile } from './sealed-file.ts'
import { SegmentWriter } from './segment.ts'
import type { SegmentAnswer, SegmentRequest } from './segment-thread.ts'

const writers = new Map<number, SegmentWriter>()

parentPort?.on('message', async ({ number, segment, topic, partition, add, seal }: SegmentRequest) => {
  const writer = writers.get(segment) ?? new SegmentWriter(topic, partition)
  writers.set(segment, writer)
  if (add) {
    // A Buffer arrives as the array below it.
    const { buffer, byteOffset, byteLength } = add.bytes
    writer.add({ ...add, bytes: Buffer.from(buffer, byteOffset, byteLength) })
  }
  if (!seal) return answer({ number, bytes: writer.bytes })
  writers.delete(segment)
  const sealed = await sealedFile(writer, seal)
  // Sent without a copy, so it must not share its buffer.
  const bytes = new Uint8Array(sealed.bytes)
  answer({ number, bytes: bytes.length, sealed: { ...sealed, bytes } }, [bytes.buffer])
})

function answer(message: SegmentAnswer, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}
