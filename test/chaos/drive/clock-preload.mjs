// Loaded into every process under test: shifts its wall clock by the milliseconds that stand in CHAOS_CLOCK_FILE.
import { readFileSync } from 'node:fs'

const RealDate = Date
const realNow = Date.now
let offset = 0
const look = () => {
  const text = readFileSync(process.env.CHAOS_CLOCK_FILE, 'utf8')
  // Empty for the instant in which it is being written.
  if (text !== '') offset = Number(text)
}
look()
setInterval(look, 50).unref()

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [realNow() + offset] : args))
  }
  static now() {
    return realNow() + offset
  }
}
