import { program } from '../../contracts/program.ts'
import { type Config, ConfigError } from '../../infra/config.ts'
import { acceptStructure } from '../../ingest/publisher-memory.ts'
import { releaseDatesOnRecord } from '../../ingest/release-dates/record-dates.ts'
import { announcedFrom, whenOf } from '../../ingest/schedule/asking.ts'
import { ReleaseDays } from '../../ingest/schedule/release-days.ts'
import { byHand, datasetOfJob, scheduledJobs } from '../../ingest/schedule/timetable.ts'
import { JournalError } from '../../journal/journal.ts'
import { parsed } from '../arguments.ts'
import { type Command, complain, print, UsageError } from '../command.ts'
import { formatChangeText } from '../ingest-report.ts'
import { rememberedAnswers, withJournal } from '../parts.ts'

export const command: Command = {
  usage: `${program} schedule [--json]
       ${program} schedule --accept-format NAME

Prints the timetable: each dataset, when it is requested next, and by which rule (cron, in the publisher's time zone;
docs/schedule.md gives the reasons). A service with ALMANAC_SCHEDULE=1 follows it. The service's admin port shows how the
runs ended, and starts a run at once. Datasets that are not in it are read with \`${program} ingest\`.

Days that publishers announce for a release are read from the journal, and the next one is shown. If the journal cannot be
read, the times are those of the rules alone, and a line on standard error (announced_days_fault with --json) says so.

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
    const { days, fault } = await readReleaseDays(config)
    const jobs = scheduledJobs(days)
      .map(({ name, asking, next, announced }) => {
        return { name, asking, nextRun: next(now), announced: announcedFrom(now, asking, announced()) }
      })
      .sort((a, b) => a.nextRun - b.nextRun)
    if (values.json) {
      const rows = jobs.map(({ name, asking, nextRun, announced }) => ({
        job: name,
        next_run: isoOf(nextRun),
        when: whenOf(asking),
        time_zone: asking.zone,
        announced,
      }))
      const changed = [...changes].map(([dataset, { at, appeared, gone }]) => ({
        dataset,
        since: isoOf(at),
        appeared,
        gone,
      }))
      print(
        JSON.stringify({ jobs: rows, by_hand: byHand, changed_formats: changed, announced_days_fault: fault }, null, 2),
      )
      return 0
    }
    if (fault !== null) complain(`announced days are not taken into account: ${fault}`)
    const width = Math.max(...jobs.map(({ name }) => name.length))
    for (const { name, asking, nextRun, announced } of jobs) {
      const [next] = announced
      const coming = next === undefined ? '' : `; announced for ${momentOf(next)}`
      print(`${momentOf(isoOf(nextRun))}  ${name.padEnd(width)}  ${whenOf(asking)} (${asking.zone})${coming}`)
    }
    for (const [name, change] of changes) print(`${name}: the format has changed ${formatChangeText(change)}`)
    return 0
  },
}

/** Reads the announced days of all releases from the journal. `fault` says why, if the journal cannot be read. */
async function readReleaseDays(config: Config): Promise<{ days: ReleaseDays; fault: string | null }> {
  const days = new ReleaseDays()
  try {
    for (const record of await withJournal(config, releaseDatesOnRecord)) days.apply(record)
    return { days, fault: null }
  } catch (error) {
    if (error instanceof ConfigError || error instanceof JournalError) return { days, fault: error.message }
    throw error
  }
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** An instant to the minute, such as `2026-12-10 13:30 UTC`, or a day as it is. */
const momentOf = (iso: string): string => (iso.includes('T') ? `${iso.slice(0, 16).replace('T', ' ')} UTC` : iso)
