import { pricesAt } from '../../domain/dated-prices.ts'
import { endOfDay } from '../../domain/day-of-knowledge.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { inOrderOfPublication } from '../../domain/order-of-publication.ts'
import type { PriceBoard } from '../../domain/price-board.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import type { ApiDeps, DatedReads } from '../deps.ts'

/** The figures and prices of a day in memory, as a service has them that had read only what was there by then. */
export type Boards = {
  readonly figures: FigureBoard
  readonly releaseIndex: ReleaseIndex
  readonly prices?: ApiDeps['prices']
}

export const noBoards = (): Boards => ({ figures: new FigureBoard(), releaseIndex: new ReleaseIndex() })

/**
 * Reads the figures of a day of some countries, or of all: one country after the other, so that others are answered between.
 * Which countries have figures is known of all.
 */
export async function readBoards(
  published: DatedReads['published'],
  countries: readonly string[] | undefined,
): Promise<Boards> {
  const boards = noBoards()
  const cells = await published.cells()
  boards.figures.countries = (indicator) => [...(cells.get(indicator) ?? [])]
  for (const country of countries ?? new Set([...cells.values()].flat().sort())) {
    for (const release of inOrderOfPublication(await published.releases(country))) {
      boards.figures.apply(release)
      boards.releaseIndex.apply(release)
    }
  }
  return boards
}

/** Reads the last prices of a day that is over. */
export const readPrices = async (candles: DatedReads['candles'], day: string): Promise<PriceBoard> =>
  pricesAt(endOfDay(day) - 1, await candles.lastPrices())
