import type { Frequency } from '../../../contracts/records.ts'
import { isDate } from '../../../domain/day.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { periodBeginning } from '../frequency.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, type Json, type JsonObject, otherMembers, printed, readJson } from '../json.ts'
import { statCanAnswer } from '../json-kinds.ts'
import { statedDay } from '../printed-days.ts'
import { type Dataset, datasetsOfAgency, type FormatReader, type MessageObservation } from './observation.ts'

/**
 * Vectors of Statistics Canada's Web Data Service. Each data point has the time of its release.
 * Source: https://www.statcan.gc.ca/en/developers/wds/user-guide
 */
export const statCanVectors: FormatReader = { ...statCanAnswer, read: readVectors }

/** Codes of frequencies that are read; others stay numbers. */
const frequencies: Readonly<Record<string, Frequency>> = { '6': 'M', '9': 'Q', '12': 'A' }

function* readVectors(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  const datasetOf = datasetsOfAgency(statCanVectors.name, 'StatCan')
  for (const [index, answer] of (isArray(root) ? root : [root]).entries()) {
    const vector = isObject(answer) ? answer.object : undefined
    if (!isObject(answer) || answer.status !== 'SUCCESS')
      throw new DocumentError('publisher_error', `The publisher answered: ${JSON.stringify(answer)}`, `${index + 1}`)
    const [product, id] = isObject(vector) ? [printed(vector.productId), printed(vector.vectorId)] : []
    const points = isObject(vector) ? vector.vectorDataPoint : undefined
    if (product === undefined || !/^\d{8}$/.test(product) || id === undefined || !isArray(points))
      throw new DocumentError(
        'malformed_document',
        `Answer ${index + 1} has no productId, vectorId and vectorDataPoint.`,
      )
    const dataset = datasetOf(tableOfProduct(product))
    for (const [at, point] of points.entries())
      yield observationOf(dataset, `v${id}`, point, `v${id}, data point ${at + 1}`)
  }
}

function observationOf(dataset: Dataset, vector: string, point: Json, location: string): MessageObservation | Reject {
  const text = JSON.stringify(point)
  const day = isObject(point) ? printed(point.refPer) : undefined
  if (!isObject(point) || day === undefined || !isDate(day))
    return rejectOf('missing_member', 'The data point has no refPer that is a day.', location, text)
  const value = point.value === null ? null : printed(point.value)
  // A missing value may withdraw a figure, so nothing but null is taken for one.
  if (value === undefined) return rejectOf('malformed_row', 'The value is neither a number nor null.', location, text)
  const frequency = printed(point.frequencyCode) ?? ''
  const released = statedDay(point.releaseTime, { name: 'releaseTime', location })
  return {
    kind: 'observation',
    dataset,
    codes: { ...otherMembers(point, members), VECTOR: vector, FREQ: frequencies[frequency] ?? frequency },
    period: periodOf(day, frequency),
    value,
    attributes: multiplierOf(point),
    released,
    location,
    text,
  }
}

/** Members of a data point that are no dimension. A vector names all of them. */
const members: ReadonlySet<string> = new Set(
  'refPer refPer2 refPerRaw refPerRaw2 value decimals scalarFactorCode symbolCode statusCode securityLevelCode'
    .split(' ')
    .concat('releaseTime', 'frequencyCode'),
)

const multiplierOf = ({ scalarFactorCode }: JsonObject): { readonly UNIT_MULT?: string } => {
  const power = printed(scalarFactorCode)
  return power === undefined ? {} : { UNIT_MULT: power }
}

/** A period is stated by its first day. Another day stays as it is, and no figure is made of it. */
function periodOf(day: string, frequency: string): string {
  const known = frequencies[frequency]
  return (known && periodBeginning(known, day)) ?? day
}

/** The table of a product of Statistics Canada, which is its first view: 36100104 is 36-10-0104-01. */
export const tableOfProduct = (product: string): string =>
  `${product.slice(0, 2)}-${product.slice(2, 4)}-${product.slice(4)}-01`
