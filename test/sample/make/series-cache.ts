import { isObject, parseJson, printed } from '../../../ingest/read/json.ts'

/**
 * A series of FRED as CSV, out of the JSON in which a holder keeps several: `{"JP_RGDP":{"source_id":"JPNRGDPEXP",
 * "data":{"1994-01-01":465073.0,…}},…}`. Throws if it is not there.
 */
export function seriesInCache(text: string, id: string): string {
  const root = parseJson(text)
  const kept = isObject(root) ? Object.values(root).filter(isObject) : []
  const data = kept.find(({ source_id }) => source_id === id)?.data
  if (!isObject(data)) throw new Error(`The cache has no ${id}.`)
  return ['date,value', ...Object.entries(data).map(([date, value]) => `${date},${printed(value)}`), ''].join('\n')
}
