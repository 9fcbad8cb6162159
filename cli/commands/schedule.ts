import { program } from '../../contracts/program.ts'
import { acceptStructure } from '../../ingest/publisher-memory.ts'
import { whenOf } from '../../ingest/schedule/asking.ts'
import { byHand, calendarJobs, datasetOfJob } from '../../ingest/schedule/calendar.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { formatChangeText } from '../ingest-report.ts'
import { rememberedAnswers } from '../parts.ts'

export const command: Command = {
  summary: 'Lists when each dataset is requested',
  usage: `${program} schedule [--json]
       ${program} schedule --accept-format NAME

Prints the release calendar: each dataset, when it is requested next, and by which rule (cron, in the publisher's time zone;
docs/schedule.md gives the reasons). A service with ALMANAC_SCHEDULE=1 follows it. The service's admin port shows how the
runs ended, and starts a run at once. Datasets that are not in the calendar are read with \`${program} ingest\`.

A dataset whose format has changed since it was read on this machine is marked with what appeared and what is gone, until
--accept-format takes the new format as known. NAME is source and dataset, such as eurostat/UNE_RT_M.`,
  async run(args, config) {
    const { values } = parsed(args, { json: { type: 'boolean' }, 'accept-format': { type: 'string' } }, 0)
    const memory = rememberedAnswers(config)
    const accepted = values['accept-format']
    if (accepted !== undefined) {
      const { source, dataset } = datasetOfJob(accepted)
      if (!(await acceptStructure(memory, source, dataset)))
        throw new UsageError(`no change of the format of ${JSON.stringify(accepted)} waits to be accepted`)
      print(`${accepted}: the format is known from now on`)
      return 0
    }
    const changes = new Map((await memory.changed()).map((change) => [`${change.source}/${change.dataset}`, change]))
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
      const changed = [...changes].map(([dataset, { at, appeared, gone }]) => ({
        dataset,
        since: new Date(at).toISOString(),
        appeared,
        gone,
      }))
      print(JSON.stringify({ jobs: rows, by_hand: byHand, changed_formats: changed }, null, 2))
      return 0
    }
    const width = Math.max(...jobs.map(({ name }) => name.length))
    for (const { name, asking, nextRun } of jobs) {
      const at = new Date(nextRun).toISOString().slice(0, 16).replace('T', ' ')
      print(`${at} UTC  ${name.padEnd(width)}  ${whenOf(asking)} (${asking.zone})`)
    }
    for (const [name, change] of changes) print(`${name}: the format has changed ${formatChangeText(change)}`)
    return 0
  },
}
