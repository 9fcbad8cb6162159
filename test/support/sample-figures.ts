import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Release } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { documentOf } from '../../ingest/source.ts'
import { parseFile } from '../../ingest/sources/file/parse.ts'

const folder = resolve(import.meta.dirname, '../../sample/figures')

/** The bundled sample as the service serves it: accepted in the order of its files, and derived from. */
export function sampleBoard(at = '2026-11-01T00:00:00.000Z'): FigureBoard {
  const board = new FigureBoard()
  const derivations = nothingDerived()
  for (const name of readdirSync(folder).sort()) {
    const document = documentOf(readFileSync(join(folder, name)), {
      source: 'FILE',
      dataset: name,
      publisher: '',
      licence: '',
      url: name,
      retrievedAt: at,
    })
    const published: Release[] = []
    for (const item of parseFile(document)) {
      if (item.kind !== 'figure') continue
      const { series, period, figures: printed, released } = item
      const known = board.current(series.id, period)
      const decision = decideRelease(known, { series, period, printed, released, provenance: null }, at)
      if (!('release' in decision)) continue
      board.apply(decision.release)
      published.push(decision.release)
    }
    for (const release of deriveFrom(derivations, published)) board.apply(release)
  }
  return board
}
