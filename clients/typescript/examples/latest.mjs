// The latest consumer price index of a country.
import { Almanac } from 'almanac-client'

const almanac = new Almanac({ key: process.env.ALMANAC_KEY })
const { period, value } = await almanac.rest.economics_get_cpi({ country: 'USA' })
console.log(period, value)
