import { program } from '../../contracts/program.ts'
import { byHand, calendarJobs, whenOf } from '../../ingest/schedule/calendar.ts'
import { parsed } from '../arguments.ts'
import { type Command, print } from '../command.ts'

export const command: Command = {
  summary: 'Lists when each dataset is asked for',
  usage: `${program} schedule [--json]

The release calendar: each source and dataset, when it is asked for next, and by which rule (cron, in the publisher's
time zone; docs/schedule.md says why). It is what a service with ALMANAC_SCHEDULE=1 goes by; how its runs went, and a run
at once, are on its admin port. Datasets that no schedule asks for are read with \`${program} ingest\`.`,
  async run(args) {
    const { values } = parsed(args, { json: { type: 'boolean' } }, 0)
    const now = Date.now()
    const jobs = calendarJobs()
      .map(({ name, asking, next }) => ({ name, asking, nextRun: next(now) }))
      .sort((a, b) => a.nextRun - b.nextRun)
    if (values.json) {
      const rows = jobs.map(({ name, asking, nextRun }) => ({
        job: name,
        next_run: new Date(nextRun).toISOString(),
        when: whenOf(asking),
        time_zone: asking.zone,
      }))
      print(JSON.stringify({ jobs: rows, by_hand: byHand }, null, 2))
      return 0
    }
    const width = Math.max(...jobs.map(({ name }) => name.length))
    for (const { name, asking, nextRun } of jobs) {
      const at = new Date(nextRun).toISOString().slice(0, 16).replace('T', ' ')
      print(`${at} UTC  ${name.padEnd(width)}  ${whenOf(asking)} (${asking.zone})`)
    }
    return 0
  },
}
