/** Main program of the thread of `SegmentThread`. An error ends it, and `SegmentThread` reports it. */
import { parentPort } from 'node:worker_threads'
import { SegmentWriter } from './segment.ts'
import type { SegmentAnswer, SegmentRequest } from './segment-thread.ts'

const writers = new Map<number, SegmentWriter>()

parentPort?.on('message', ({ number, segment, topic, partition, add }: SegmentRequest) => {
  const writer = writers.get(segment) ?? new SegmentWriter(topic, partition)
  writers.set(segment, writer)
  if (add) {
    // A Buffer arrives as the array below it.
    const { buffer, byteOffset, byteLength } = add.bytes
    writer.add({ ...add, bytes: Buffer.from(buffer, byteOffset, byteLength) })
    return answer({ number, bytes: writer.bytes })
  }
  // Sent without a copy, so it must not share its buffer.
  const file = new Uint8Array(writer.finish())
  writers.delete(segment)
  answer({ number, bytes: file.length, file }, [file.buffer])
})

function answer(message: SegmentAnswer, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred)
}
