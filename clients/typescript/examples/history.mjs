// A history, read page by page from one snapshot.
import { Almanac } from 'almanac-client'

const almanac = new Almanac({ key: process.env.ALMANAC_KEY })
for await (const { period, value } of almanac.observations('USA', 'cpi', { start: '2024' })) {
  console.log(period, value)
}
