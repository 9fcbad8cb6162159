import { rowPerRecord } from '../../view.ts'

/** Every accepted release, first prints, revisions and the others, with all members of its record. */
export const vintages = rowPerRecord({
  name: 'vintages',
  topic: 'releases',
  table: new URL('./table.sql', import.meta.url),
  cells: {
    series: ({ series }) => series.id,
    period: ({ period }) => period,
    release_id: ({ release_id }) => release_id,
    revises: ({ revises }) => revises,
    figures: ({ figures }) => figures,
    published: ({ published }) => published,
    released_on: ({ released_on }) => released_on,
    released_on_basis: ({ released_on_basis }) => released_on_basis,
    recorded_at: ({ recorded_at }) => recorded_at,
    inputs: ({ inputs }) => inputs,
    late: ({ late }) => late,
    redates: ({ redates }) => redates,

    indicator: ({ series }) => series.indicator,
    country: ({ series }) => series.country,
    frequency: ({ series }) => series.frequency,
    source: ({ series }) => series.source,
    dataset: ({ series }) => series.dataset,
    unit: ({ series }) => series.unit,
    seasonal_adjustment: ({ series }) => series.seasonal_adjustment,
    annualization: ({ series }) => series.annualization,
    base_period: ({ series }) => series.base_period,
    base_value: ({ series }) => series.base_value,
    derivation: ({ series }) => series.derivation,

    publisher: ({ provenance }) => provenance?.publisher ?? '',
    url: ({ provenance }) => provenance?.url ?? '',
    licence: ({ provenance }) => provenance?.licence ?? '',
    retrieved_at: ({ provenance }) => provenance?.retrieved_at ?? null,
    sha256: ({ provenance }) => provenance?.sha256 ?? '',
    location: ({ provenance }) => provenance?.location ?? '',
  },
})
