/**
 * A node that runs a BullMQ schedule, to be killed by a test. It says `<job> <attempt>` when a run starts and
 * `done <job>` when one has ended.
 *
 *   node schedule-process-main.ts <redis URL> <prefix> <hold | pass> <job>…
 */
import { writeSync } from 'node:fs'
import { BullSchedule } from '../../../../ingest/schedule/bullmq.ts'

const [connection = '', prefix = '', role = '', ...names] = process.argv.slice(2)
const say = (line: string) => writeSync(1, `${line}\n`)

const schedule = new BullSchedule({
  connection,
  prefix,
  lockMs: 1_000,
  lookMs: 200,
  concurrency: 4,
  onRun: (name, { outcome }) => say(`${outcome} ${name}`),
})
await schedule.start(
  names.map((name) => ({ name, next: (after) => after + 3_600_000, leastApartMs: 0 })),
  async (name, { attempt }) => {
    say(`${name} ${attempt}`)
    if (role === 'hold') await new Promise(() => undefined)
    return 'done'
  },
)
say('ready')
