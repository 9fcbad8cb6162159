// Loaded into every process under test: shifts its wall clock by the milliseconds that stand in CHAOS_CLOCK_FILE.
// The file is read at each look at the clock. A copy that is refreshed by a timer would be old in a process that was
// stopped while the clock was set, which cannot happen to the clock of a machine.
import { openSync, readSync } from 'node:fs'

const RealDate = Date
const realNow = Date.now
const file = openSync(process.env.CHAOS_CLOCK_FILE, 'r')
const text = Buffer.alloc(16)
const now = () => {
  readSync(file, text, 0, text.length, 0)
  return realNow() + Number(text.toString('latin1'))
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args))
  }
  static now() {
    return now()
  }
}
