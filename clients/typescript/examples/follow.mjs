// Every release and revision of output, such as GDP. End it and start it again: it continues where it was.
import { Almanac, fileCursor } from 'almanac-client'

const almanac = new Almanac({ key: process.env.ALMANAC_KEY })
const store = fileCursor('events-cursor')

for await (const { subject, data } of almanac.events({ families: ['output'], cursor: 'earliest', store })) {
  console.log(subject, data.value ?? data.year_over_year)
}
