import type { SentTick } from '../judge/ticks.ts'
import type { Random } from '../random.ts'

const symbols = ['XPD-USD', 'GBP-USD'] as const
const FIRST_MS = Date.UTC(2026, 5, 1)
const EVERY_MS = 250

/** Recorded ticks as files for `almanac ingest file`, each later than those before. */
export class PriceFiles {
  readonly written: SentTick[] = []

  nextFile(random: Random): string {
    const ticks = Array.from({ length: 5 + random.below(60) }, () => this.#next())
    const head = [
      'almanac: prices 1',
      `rows: ${ticks.length}`,
      'publisher: Test office',
      'licence: none',
      'url: file:chaos',
      'source: TEST',
    ]
    const rows = ticks.map(({ symbol, price, observedAt }) => `${symbol},${price},${observedAt}`)
    return `${head.map((line) => `# ${line}`).join('\n')}\nsymbol,price,observed_at\n${rows.join('\n')}\n`
  }

  #next(): SentTick {
    const number = this.written.length + 1
    const tick = {
      symbol: symbols[number % symbols.length] as string,
      price: `50.${String(number).padStart(7, '0')}1`,
      observedAt: new Date(FIRST_MS + number * EVERY_MS).toISOString(),
    }
    this.written.push(tick)
    return tick
  }
}
