import type { ClickHouseClient } from '@clickhouse/client'
import type { DatedReads } from '../../api/deps.ts'
import { endOfDay } from '../../domain/day-of-knowledge.ts'
import { candleQueries } from '../../projections/views/candles/query.ts'
import { eventQueries } from '../../projections/views/events/query.ts'
import { publishedQueries } from '../../projections/views/published/query.ts'
import { tickQueries } from '../../projections/views/ticks/query.ts'
import { EstimatedDays } from '../../projections/views/vintages/estimated-days.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'

/**
 * The read models as of a day, YYYY-MM-DD: figures by the day of their release, prices by the time of their source, and
 * events, which say what was sent, by their own dates also where figures have estimated ones.
 */
export function datedReads(clickhouse: ClickHouseClient, day: string, isEstimated = false): DatedReads {
  const estimated = isEstimated ? new EstimatedDays(clickhouse) : undefined
  const vintages = vintageQueries(clickhouse, day, estimated)
  return {
    history: vintages,
    vintages,
    events: eventQueries(clickhouse, { until: day }),
    candles: candleQueries(clickhouse, endOfDay(day)),
    ticks: tickQueries(clickhouse, endOfDay(day) - 1),
    published: publishedQueries(clickhouse, day, estimated),
  }
}
