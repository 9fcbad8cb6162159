/**
 * Reads events at a steady rate, in a process of its own: `node steady-reader.ts STREAMS_URL COUNT RATE`. It pauses even if
 * it is late, so that the server is the faster one on every machine. Prints what it read and the most memory that it used.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Almanac } from '../../../clients/typescript/src/node.ts'

const [streamsUrl = '', count = '0', rate = '0'] = process.argv.slice(2)
const states = new Map<string, number>()
const stream = new Almanac({ key: 'TEST', streamsUrl }).events({
  cursor: 'earliest',
  onStep: (input, { state }) => {
    if (input.on !== 'data') states.set(state, (states.get(state) ?? 0) + 1)
  },
})
const from = performance.now()
let read = 0
let isInOrder = true
let peak = 0
for await (const { sequence } of stream) {
  read++
  isInOrder &&= Number(sequence) === read
  if (read % 64 === 0) {
    await pause(64_000 / Number(rate))
    const { heapUsed, external } = process.memoryUsage()
    peak = Math.max(peak, heapUsed + external)
  }
  if (read === Number(count)) break
}
const seconds = (performance.now() - from) / 1_000
// `maxRSS` of `resourceUsage` also counts the process that this one was forked from.
const rss = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024
console.log(JSON.stringify({ read, isInOrder, seconds, peak, rss, states: Object.fromEntries(states) }))
