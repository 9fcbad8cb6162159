import type Type from 'typebox'
import { indicators } from './indicators.ts'
import { FxRates, MarketSessionChange, Prediction, SpotPrice } from './resources.ts'
import { strict } from './scalars.ts'

/** An object schema with a name of its own, as every body that REST serves has. */
type NamedObject = Type.TObject & { readonly $id: string }

const isNamedObject = (schema: Type.TSchema | null): schema is NamedObject =>
  schema !== null && 'properties' in schema && '$id' in schema

/** Schema of a revised release: the body that REST serves, and the body that it replaces as `previous`. */
const revisionOf = (resource: NamedObject): NamedObject => {
  const $id = `${resource.$id}Revision`
  const description = `Data of economics.release.revised: the new ${resource.$id}, and the one that it replaces`
  return { ...strict({ ...resource.properties, previous: resource }, { description }), $id }
}

const releases = Object.values(indicators).flatMap(({ resource }) => (isNamedObject(resource) ? [resource] : []))
const others: readonly Type.TSchema[] = [SpotPrice, FxRates, MarketSessionChange, Prediction]

/** Schemas of the `data` of events by name, the last part of an event's `dataschema`. */
export const eventDataSchemas: ReadonlyMap<string, Type.TSchema> = new Map(
  [...releases, ...releases.map(revisionOf), ...others.filter(isNamedObject)].map((schema) => [schema.$id, schema]),
)

/** Value of `dataschema` for data of the schema called `name`; throws where no event has such data. */
export function dataSchema(name: string): string {
  if (!eventDataSchemas.has(name)) throw new Error(`no event has data of a schema called ${name}`)
  return `urn:almanac:schema:${name}`
}
