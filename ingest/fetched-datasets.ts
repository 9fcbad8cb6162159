import type { Document, Item, Items, SeriesDataset } from './source.ts'

/** The datasets whose series one fetch has brought, or has found unchanged. */
export class FetchedDatasets {
  readonly #bySource = new Map<string, Set<string>>()
  /** Whether every document was fetched and could be read. */
  isComplete = false

  add(datasets: readonly SeriesDataset[]): void {
    for (const each of datasets) this.#note(each)
  }

  /** Passes the items of a document on, and notes their datasets if it was fetched. */
  noted({ retrievedAt }: Pick<Document, 'retrievedAt'>, items: Items): Items {
    if (retrievedAt === null) return items
    return Symbol.asyncIterator in items ? this.#batches(items) : this.#each(items)
  }

  list(): SeriesDataset[] {
    return [...this.#bySource].flatMap(([source, datasets]) => [...datasets].map((dataset) => ({ source, dataset })))
  }

  *#each(items: Iterable<Item>): Generator<Item> {
    for (const item of items) {
      if ('series' in item) this.#note(item.series)
      yield item
    }
  }

  async *#batches(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]> {
    for await (const batch of batches) {
      for (const item of batch) if ('series' in item) this.#note(item.series)
      yield batch
    }
  }

  #note({ source, dataset }: SeriesDataset): void {
    const datasets = this.#bySource.get(source) ?? new Set()
    this.#bySource.set(source, datasets.add(dataset))
  }
}
