// Every value that was published for each quarter of US GDP, null where one was withdrawn: `./almanac project docs/examples/gdp-revisions.ts`
import { defineProjection } from 'almanac/projection'

export default defineProjection({
  name: 'gdp_revisions',
  topic: 'releases',
  columns: {
    period: 'String',
    released_on: 'Date',
    value: 'Nullable(Decimal(38, 2))',
    series: 'String',
  },
  orderBy: ['period', 'released_on'],
  rows: ({ value: { series, period, released_on, figures } }) =>
    series.country === 'USA' && series.indicator === 'gdp'
      ? [{ period, released_on, value: figures.value ?? null, series: series.id }]
      : [],
})
