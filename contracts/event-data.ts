import { CalendarNotice } from './calendar.ts'
import { servedIndicators, servingOf } from './indicators.ts'
import { FxRates, MarketSessionChange, Prediction, SourceInterruption, SpotPrice } from './resources.ts'
import { IsoDate, type NamedObject, strict } from './scalars.ts'

/** Schema of the data of a revision: the body that REST serves, and as `previous` the body that it replaces. */
const revisionOf = (resource: NamedObject): NamedObject => {
  const $id = `${resource.$id}Revision`
  const description = `Data of economics.release.revised: the new ${resource.$id}, and the one that it replaces`
  return strict({ ...resource.properties, previous: resource }, { description, $id })
}

/** Schema of the data of a withdrawal: the period without a figure, and as `previous` the body that was served for it. */
const withdrawalOf = (resource: NamedObject): NamedObject => {
  const $id = `${resource.$id}Withdrawal`
  const description = `Data of economics.release.withdrawn: the ${resource.$id} in previous was withdrawn`
  const members = Object.fromEntries(['country', 'period'].map((name) => [name, resource.properties[name]]))
  const released_on = { ...IsoDate, description: 'Day of the withdrawal' }
  return strict({ ...members, released_on, previous: resource }, { description, $id })
}

const releases = servedIndicators.map((indicator) => servingOf(indicator).resource)
const schemas: readonly NamedObject[] = [
  ...releases,
  ...releases.map(revisionOf),
  ...releases.map(withdrawalOf),
  SpotPrice,
  FxRates,
  MarketSessionChange,
  SourceInterruption,
  Prediction,
  CalendarNotice,
]

/** Schemas of the `data` of events, by name. The name is the last part of an event's `dataschema`. */
export const eventDataSchemas: ReadonlyMap<string, NamedObject> = new Map(schemas.map((schema) => [schema.$id, schema]))

/** Value of `dataschema` for the schema called `name`. Throws if no event has such data. */
export function dataSchema(name: string): string {
  if (!eventDataSchemas.has(name)) throw new Error(`no event has data of a schema called ${name}`)
  return `urn:almanac:schema:${name}`
}
