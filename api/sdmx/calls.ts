import type { Executable } from '../execute.ts'
import { surfaceCall } from '../surface.ts'

/** The calls of the SDMX surface and their addresses. */

/** Versions of the interface by the version of SDMX that they belong to: SDMX-REST 1.5 is that of SDMX 2.1, 2.x that of 3.0. */
export const interfaces = ['2.1', '3.0'] as const
export type Interface = (typeof interfaces)[number]

export const addressOf = (version: Interface): string => `/sdmx/${version}`

/** Whether errors of a path are messages of SDMX. */
export const isSdmxPath = (path: string): boolean => /^\/sdmx(?:\/|$)/.test(path)

export const sdmxCalls = {
  structure: surfaceCall('SDMX', 'sdmx_structure'),
  availability: surfaceCall('SDMX', 'sdmx_availability'),
  data: surfaceCall('SDMX', 'sdmx_data'),
} as const

export const isSdmxCall = ({ tag }: { readonly tag: string }): boolean => tag === sdmxCalls.data.tag

/** Types of structures that are served, by their names in addresses. */
export const structureTypes = ['dataflow', 'datastructure', 'codelist', 'conceptscheme'] as const
export type StructureType = (typeof structureTypes)[number]

/** Packages and classes of the types in the information model of SDMX, by which references name them. */
export const structureClasses = {
  dataflow: ['datastructure', 'Dataflow'],
  datastructure: ['datastructure', 'DataStructure'],
  codelist: ['codelist', 'Codelist'],
  conceptscheme: ['conceptscheme', 'ConceptScheme'],
} as const satisfies Record<StructureType, readonly [string, string]>

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
