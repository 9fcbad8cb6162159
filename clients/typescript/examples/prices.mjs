// The price of gold in euro: at once, then whenever it changes.
import { Almanac } from 'almanac-client'

const almanac = new Almanac({ key: process.env.ALMANAC_KEY })
for await (const price of almanac.prices({ commodities: [{ commodity: 'XAU', currency: 'EUR' }] })) {
  if (price.type === 'commodity') console.log(price.spot.price)
}
