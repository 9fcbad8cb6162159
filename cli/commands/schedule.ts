import { program } from '../../contracts/program.ts'
import { byHand, calendarJobs, whenOf } from '../../ingest/schedule/calendar.ts'
import { parsed } from '../arguments.ts'
import { type Command, print } from '../command.ts'

export const command: Command = {
  summary: 'Lists when each dataset is requested',
  usage: `${program} schedule [--json]

Prints the release calendar: each dataset, when it is requested next, and by which rule (cron, in the publisher's time zone;
docs/schedule.md gives the reasons). A service with ALMANAC_SCHEDULE=1 follows it. The service's admin port shows how the
runs ended, and starts a run at once. Datasets that are not in the calendar are read with \`${program} ingest\`.`,
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
