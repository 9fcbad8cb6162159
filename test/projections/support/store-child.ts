/**
 * A store in a process of its own. Argument: StoreOptions as JSON. Prints its URL as a line; SIGTERM closes it. It ends
 * with its parent too, whose end closes stdin.
 */
import { type StoreOptions, startStore } from '../../../projections/store/store.ts'

const started = performance.now()
const store = await startStore(JSON.parse(process.argv[2] ?? '') as StoreOptions)
process.on('SIGTERM', () => void store.close().then(() => process.exit(0)))
const url = store.tcpUrl ?? store.socketUrl
process.stdout.write(`${JSON.stringify({ url, openMs: Math.round(performance.now() - started) })}\n`)
process.stdin.on('end', () => process.exit(1)).resume()
