import type { Figure } from '../../../ingest/source.ts'
import { absFiles } from './abs.ts'
import { bisFiles } from './bis.ts'
import { blsFiles } from './bls.ts'
import { cbsFiles } from './cbs.ts'
import { censusFiles } from './census.ts'
import { dosmFiles } from './dosm.ts'
import { ecbFiles } from './ecb.ts'
import { eurostatFiles } from './eurostat.ts'
import { fredFiles } from './fred.ts'
import { globalEconomicMonitorFiles } from './global-economic-monitor.ts'
import { iloFiles } from './ilo.ts'
import { oecdFiles } from './oecd.ts'
import { onsFiles } from './ons.ts'
import { pinkSheetFiles } from './pink-sheet.ts'
import { quarterlyGdpFiles } from './quarterly-gdp.ts'
import { recordedIn } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { singstatFiles } from './singstat.ts'
import { statcanFiles } from './statcan.ts'
import { unctadFiles } from './unctad.ts'
import { worldBankFiles } from './world-bank.ts'
import { writeFigures, writePrices } from './write-file.ts'

/**
 * The text of the files of the sample, by path below `sample/`. The same recorded files always give the same texts.
 * A file whose original isn't in the folders isn't made.
 */
export function makeSample(...recordedFolders: readonly string[]): ReadonlyMap<string, string> {
  const recorded = recordedIn(recordedFolders)
  const publishers = [
    absFiles,
    bisFiles,
    blsFiles,
    cbsFiles,
    censusFiles,
    dosmFiles,
    eurostatFiles,
    fredFiles,
    globalEconomicMonitorFiles,
    iloFiles,
    oecdFiles,
    onsFiles,
    singstatFiles,
    statcanFiles,
    quarterlyGdpFiles,
    unctadFiles,
    worldBankFiles,
    ecbFiles,
    pinkSheetFiles,
  ]
  const files = publishers.flatMap((files) => files(recorded))
  return new Map(
    files.map((file) => [
      file.path,
      'figures' in file ? writeFigures(file.origin, dated(file)) : writePrices(file.origin, file.prices),
    ]),
  )
}

/**
 * The figures of a file, each with a date: without one of its own, the day on which the copy had it. A figure without
 * any would count as released on the day on which the sample is loaded.
 */
function dated({ path, origin: { copy }, figures }: Extract<SampleFile, { figures: unknown }>): Figure[] {
  const on = copy?.held_on
  return figures.map((figure) => {
    if (figure.released) return figure
    if (!on) throw new Error(`${path} has figures that nothing dates.`)
    return { ...figure, released: { on, basis: 'copy' } }
  })
}
