import { writeFigures, writePrices } from '../../ingest/sources/file/write.ts'
import { absFiles } from './abs.ts'
import { bisFiles } from './bis.ts'
import { blsFiles } from './bls.ts'
import { comtradeFiles } from './comtrade.ts'
import { dosmFiles } from './dosm.ts'
import { ecbFiles } from './ecb.ts'
import { fredFiles } from './fred.ts'
import { iloFiles } from './ilo.ts'
import { oecdFiles } from './oecd.ts'
import { pinkSheetFiles } from './pink-sheet.ts'
import { recordedIn } from './recorded.ts'
import { statcanFiles } from './statcan.ts'

/** The text of every file of the sample, by path below `sample/`. The same recorded files always give the same texts. */
export function makeSample(recordedFolder: string): ReadonlyMap<string, string> {
  const recorded = recordedIn(recordedFolder)
  const publishers = [
    ...[absFiles, bisFiles, blsFiles, comtradeFiles, dosmFiles, fredFiles, iloFiles, oecdFiles, statcanFiles],
    ...[ecbFiles, pinkSheetFiles],
  ]
  const files = publishers.flatMap((files) => files(recorded))
  return new Map(
    files.map((file) => [
      file.path,
      'figures' in file ? writeFigures(file.origin, file.figures) : writePrices(file.origin, file.prices),
    ]),
  )
}
