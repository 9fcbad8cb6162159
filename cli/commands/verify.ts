import { program } from '../../contracts/program.ts'
import { type CandleComparison, verifyCandles } from '../../projections/candle-copy.ts'
import { openForWholeTables } from '../../projections/clickhouse.ts'
import type { Comparison } from '../../projections/compare.ts'
import { ProjectionError } from '../../projections/errors.ts'
import type { Behind, Beyond } from '../../projections/extent.ts'
import { verify } from '../../projections/verify.ts'
import { views } from '../../projections/views/index.ts'
import { type Command, interruptSignal, print, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import { withJournal } from '../parts.ts'
import { clickHouseUrl } from '../store-address.ts'

/**
 * How long a command waits for a process that fills, rebuilds or compares a table, and isn't asked to let go, ms. Longer than the
 * claim of one that was killed lives, which is some 10 s.
 */
export const PATIENCE_MS = 15_000

export const command: Command = {
  usage: `${program} verify

Builds every read model from the journal once more, beside the one in use, and compares the two. Changes no row in use; the
service may run. What a read model has not reached yet is not compared, and the output says how much that is. If a row
differs, the first differences are printed and the exit code is 1.`,
  async run(args, config) {
    if (args.length > 0) throw new UsageError('verify takes no arguments')
    const interrupted = interruptSignal('interrupted')
    return withJournal(config, async (journal) => {
      const client = openForWholeTables({ url: await clickHouseUrl(config) })
      try {
        const options = { journal, client, signal: interrupted, patienceMs: PATIENCE_MS }
        let same = true
        for (const view of views) {
          const comparison = await verify(view, options)
          print(described(view.name, comparison))
          same &&= comparison.differences === 0
        }
        const candles = await verifyCandles(options)
        print(describedCandles(candles))
        same &&= candles.differences === 0
        if (!same)
          print(
            `\`${program} rebuild VIEW\` builds a new table from the journal and puts it in place of the one that differs.`,
          )
        return same ? 0 : 1
      } catch (error) {
        throw error instanceof ProjectionError ? new UsageError(error.message, { cause: error }) : error
      } finally {
        await client.close()
      }
    })
  },
}

const differing = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'DIFFERS' : 'DIFFER'}`

export function described(name: string, comparison: Comparison, now = Date.now()): string {
  const { rows, differences, examples, behind, beyond, repeated } = comparison
  const twice = repeated > 0 ? `, ${repeated} of them twice until ClickHouse merges them` : ''
  const verdict = differences === 0 ? 'equal to the journal' : `${differing(differences)} from the journal`
  const shown = examples.map(
    ({ partition, offset, ours, theirs }) =>
      `\n  partition ${partition}, offset ${offset}\n    table:   ${ours ?? 'no row'}\n    journal: ${theirs ?? 'no row'}`,
  )
  return `${name}: ${counted(rows, 'row')}${twice}, ${verdict}${describedBehind(behind, now)}${shown.join('')}${describedBeyond(beyond)}`
}

const describedBehind = ({ records, since }: Behind, now: number): string => {
  if (since === null) return ''
  const seconds = Math.max(0, Math.round((now - since) / 1_000))
  return ` as far as it had come; it was ${counted(records, 'record')} behind, ${records === 1 ? 'recorded' : 'the oldest recorded'} ${counted(seconds, 'second')} ago`
}

const describedBeyond = (beyond: readonly Beyond[]): string =>
  beyond
    .map(
      ({ partition, end, last, rows }) =>
        `\n  partition ${partition}: ${counted(rows, 'row')} beyond the journal’s end at ${end}, up to offset ${last}. Either the journal was set back, or something else wrote into the table.`,
    )
    .join('')

export function describedCandles(comparison: CandleComparison, now = Date.now()): string {
  const { rows, differences, examples, behind, beyond } = comparison
  const verdict = differences === 0 ? 'equal to the ticks' : `${differing(differences)} from the ticks`
  const shown = examples.map(
    ({ symbol, source, minute, ours, theirs }) =>
      `\n  ${symbol} of ${source}, ${minute}\n    table: ${ours ?? 'no row'}\n    ticks: ${theirs ?? 'no row'}`,
  )
  return `candles: ${counted(rows, 'row')}, ${verdict}${describedBehind(behind, now)}${shown.join('')}${describedBeyond(beyond)}`
}
