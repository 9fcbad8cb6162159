/**
 * Reads a made message of many megabytes and prints how many observations it had: `node read-large.ts FORMAT MEGABYTES`.
 * The test runs it with a small heap, in which the message or its observations would not fit.
 */
import { readObservations } from '../../../../ingest/read/formats/read-observations.ts'

const [format = '', megabytes = '0'] = process.argv.slice(2)
const isXml = format === 'xml'
const PERIODS = 60
const SERIES = 50

const head = isXml
  ? '<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="g" xmlns:c="c"><m:Header><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="TEST" id="FLOW" version="1.0"/></c:StructureUsage></m:Structure></m:Header><m:DataSet structureRef="S">'
  : 'DATAFLOW,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\n'

const periods = Array.from({ length: PERIODS }, (_, i) => {
  const month = String((i % 12) + 1).padStart(2, '0')
  return `${2010 + Math.floor(i / 12)}-${month}`
})

function seriesOf(area: number): string {
  if (!isXml) return periods.map((period, i) => `TEST:FLOW(1.0),M,A${area},${period},${area}.${i}\n`).join('')
  const key = `<g:SeriesKey><g:Value id="FREQ" value="M"/><g:Value id="REF_AREA" value="A${area}"/></g:SeriesKey>`
  const observations = periods.map(
    (period, i) => `<g:Obs><g:ObsDimension value="${period}"/><g:ObsValue value="${area}.${i}"/></g:Obs>`,
  )
  return `<g:Series>${key}${observations.join('')}</g:Series>`
}

let written = 0
function* pieces(): Generator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(head)
  for (let bytes = 0; bytes < Number(megabytes) * 1_000_000; ) {
    const first = written
    const piece = encoder.encode(Array.from({ length: SERIES }, (_, i) => seriesOf(first + i)).join(''))
    written += SERIES
    bytes += piece.length
    yield piece
  }
  yield encoder.encode(isXml ? '</m:DataSet></m:GenericData>' : '')
}

let read = 0
for (const found of readObservations(pieces())) if (found.kind === 'observation' && found.value !== null) read++
process.stdout.write(`${read} of ${written * PERIODS}`)
