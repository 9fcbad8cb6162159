/**
 * The streams beside bare uWebSockets.js servers that send the same frames. Each server is a process of its own that says
 * what CPU time it has used; one client loads them all.
 */
import type { Measure } from './measure.ts'
import { eventStreams } from './streams-events.ts'
import { idleMemory } from './streams-memory.ts'
import { pricesFanOut } from './streams-prices.ts'
import { stoppedClients } from './streams-stopped.ts'

export async function bench(): Promise<Measure[]> {
  return [...(await pricesFanOut()), ...(await eventStreams()), ...(await idleMemory()), ...(await stoppedClients())]
}
