import type { ParserAnswer, Request } from '../../../../ingest/parser/parser-process.ts'

/** A parser process that does what the dataset of a document names, to show what its limits hold. */
const MIB = 1024 * 1024
const held: unknown[] = []
const misdeeds: Readonly<Record<string, () => void>> = {
  heap() {
    for (;;) held.push(Array.from({ length: 10_000 }, (_, i) => ({ i })))
  },
  buffers() {
    for (;;) held.push(Buffer.alloc(16 * MIB, 1))
  },
  strings() {
    for (let size = 8; ; size += 8) held.push(Buffer.from('ä'.repeat(size * 1024)).toString())
  },
  spin() {
    for (;;) held.length = 0
  },
  silence() {},
  death() {
    process.kill(process.pid, 'SIGKILL')
  },
  exit() {
    process.exit(0)
  },
}

process.stdin.resume()
process.on('disconnect', () => process.exit(0))
process.on('message', (request: Request) => {
  const end: ParserAnswer = { kind: 'end', usage: { cpuMs: 0, residentBytes: 0 } }
  const misdeed = request.kind === 'parse' ? misdeeds[request.document.dataset] : undefined
  if (misdeed) misdeed()
  else process.send?.(end)
})
