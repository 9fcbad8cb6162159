import type { Executable } from '../execute.ts'
import { type Interface, sdmxCalls } from './calls.ts'

/** Types of structures that are served, by their names in addresses. */
export const structureTypes = ['dataflow', 'datastructure', 'codelist', 'conceptscheme'] as const
export type StructureType = (typeof structureTypes)[number]

/** What is executed for the first part of an address in each version of the interface. */
export const resources: Readonly<Record<Interface, ReadonlyMap<string, Executable>>> = {
  '2.1': new Map<string, Executable>([
    ['data', sdmxCalls.data],
    ...[...structureTypes, 'structure'].map((type): [string, Executable] => [type, sdmxCalls.structure]),
    ['availableconstraint', sdmxCalls.availability],
  ]),
  '3.0': new Map<string, Executable>([
    ['data', sdmxCalls.data],
    ['structure', sdmxCalls.structure],
    ['availability', sdmxCalls.availability],
  ]),
}

/** Resources and types of structures that the standard has, and that are not served. */
export const unservedResources: ReadonlySet<string> = new Set(
  'metadata schema registration agencyscheme dataproviderscheme dataconsumerscheme organisationunitscheme categoryscheme categorisation hierarchicalcodelist hierarchy hierarchyassociation contentconstraint attachmentconstraint actualconstraint allowedconstraint dataconstraint metadataconstraint metadatastructure metadataflow metadataset metadataproviderscheme metadataprovisionagreement provisionagreement structureset representationmap structuremap conceptschememap categoryschememap organisationschememap process reportingtaxonomy reportingtaxonomymap customtypescheme namepersonalisationscheme vtlmappingscheme rulesetscheme transformationscheme userdefinedoperatorscheme valuelist geocodelist geogridcodelist organisationscheme'.split(
    ' ',
  ),
)
