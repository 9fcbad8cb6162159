import { writeFigures, writePrices } from '../../ingest/sources/file/write.ts'
import { absFiles } from './abs.ts'
import { bisFiles } from './bis.ts'
import { blsFiles } from './bls.ts'
import { comtradeFiles } from './comtrade.ts'
import { dosmFiles } from './dosm.ts'
import { ecbFiles } from './ecb.ts'
import { firstHandFiles } from './first-hand.ts'
import { fredFiles } from './fred.ts'
import { iloFiles } from './ilo.ts'
import { oecdFiles } from './oecd.ts'
import { pinkSheetFiles } from './pink-sheet.ts'
import { quarterlyGdpFiles } from './quarterly-gdp.ts'
import { recordedIn } from './recorded.ts'
import { statcanFiles } from './statcan.ts'
import { worldBankFiles } from './world-bank.ts'

/**
 * The text of the files of the sample, by path below `sample/`. The same recorded files always give the same texts.
 * Those of `bis.ts`, `first-hand.ts`, `quarterly-gdp.ts` and `world-bank.ts` are made only where their originals are in the folders.
 */
export function makeSample(...recordedFolders: readonly string[]): ReadonlyMap<string, string> {
  const recorded = recordedIn(recordedFolders)
  const publishers = [
    absFiles,
    bisFiles,
    blsFiles,
    comtradeFiles,
    dosmFiles,
    firstHandFiles,
    fredFiles,
    iloFiles,
    oecdFiles,
    statcanFiles,
    quarterlyGdpFiles,
    worldBankFiles,
    ecbFiles,
    pinkSheetFiles,
  ]
  const files = publishers.flatMap((files) => files(recorded))
  return new Map(
    files.map((file) => [
      file.path,
      'figures' in file ? writeFigures(file.origin, file.figures) : writePrices(file.origin, file.prices),
    ]),
  )
}
