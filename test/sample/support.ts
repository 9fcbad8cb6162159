/** The bundled sample as the service reads it, accepts it and serves it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ServedIndicator } from '../../contracts/indicators.ts'
import type { EventRecord, Release } from '../../contracts/records.ts'
import { decideRelease } from '../../domain/decide-release.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { documentOf, type Figure, type Item, type Price } from '../../ingest/source.ts'
import { parseFile } from '../../ingest/sources/file/parse.ts'

const folder = resolve(import.meta.dirname, '../../sample')
export const paths = ['figures', 'prices'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .sort()
    .map((name) => `${kind}/${name}`),
)
export const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8')

const itemsOf = (path: string): readonly Item[] =>
  parseFile(
    documentOf(Buffer.from(textOf(path)), {
      source: 'FILE',
      dataset: path,
      publisher: '',
      licence: '',
      url: path,
      retrievedAt: '2026-11-01T00:00:00.000Z',
    }),
  )
export const items = paths.flatMap(itemsOf)
export const figures = items.filter((item): item is Figure => item.kind === 'figure')
export const prices = items.filter((item): item is Price => item.kind === 'price')

/** What comes of the sample once it is accepted and derived from, in the order in which its files are loaded. */
export const { board, releases, events, rejected, revised } = load(figures)

function load(figures: readonly Figure[]) {
  const board = new FigureBoard()
  const derivations = nothingDerived()
  const releases: Release[] = []
  const events: EventRecord[] = []
  const rejected: string[] = []
  const revised = new Set<string>()
  for (const { series, period, figures: printed, released } of figures) {
    const known = board.current(series.id, period)
    const candidate = { series, period, printed, released, provenance: null }
    const decision = decideRelease(known, candidate, '2026-11-01T00:00:00.000Z')
    if (decision.outcome === 'rejected') rejected.push(`${series.id} ${period}: ${decision.reason}`)
    if (decision.outcome === 'revised') revised.add(`${series.country} ${series.indicator}`)
    if (!('release' in decision)) continue
    for (const release of [decision.release, ...deriveFrom(derivations, [decision.release])]) {
      releases.push(release)
      const event = eventOfRelease(board, release, events.length + 1)
      if (event) events.push(event)
    }
  }
  return { board, releases, events, rejected, revised }
}

export const servedAt = (cell: string, period: string): Readonly<Record<string, string>> | undefined => {
  const [country = '', indicator = ''] = cell.split(' ')
  return board.at(country, indicator as ServedIndicator, period)?.figures
}
