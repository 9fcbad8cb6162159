/** Structures as SDMX-JSON 2.0. */

import {
  CLOCK_NOTE,
  CONCEPT_SCHEME,
  type DataStructure,
  type SdmxArtefact,
  type StructureComponent,
  TIME_DIMENSION,
  VALUE,
} from './artefacts.ts'
import { type StructureType, structureClasses } from './calls.ts'
import { AGENCY, VERSION } from './flows.ts'
import { structureUrl, type ToldArtefact } from './structures-xml.ts'

/** Names of the lists by type. */
const lists = {
  dataflow: 'dataflows',
  datastructure: 'dataStructures',
  conceptscheme: 'conceptSchemes',
  codelist: 'codelists',
} as const satisfies Record<StructureType, string>

const MODEL = 'urn:sdmx:org.sdmx.infomodel'

export const urnOf = (type: StructureType, id: string): string =>
  `${MODEL}.${structureClasses[type].join('.')}=${AGENCY}:${id}(${VERSION})`

/** A message with structures, and with constraints if there are any. */
export function structuresJson(
  all: readonly ToldArtefact[],
  now: Date,
  apiBase: string,
  constraints: readonly object[] = [],
): string {
  const day = now.toISOString().slice(0, 'YYYY-MM-DD'.length)
  const meta = {
    id: `${AGENCY}-${day}`,
    test: false,
    // The day and not the instant, as in XML.
    prepared: `${day}T00:00:00Z`,
    contentLanguages: ['en'],
    sender: { id: AGENCY },
  }
  const byType = Object.entries(lists).flatMap(([type, list]) => {
    const own = all.filter(({ artefact }) => artefact.type === type)
    return own.length > 0 ? [[list, own.map((one) => artefactJson(one, apiBase))] as const] : []
  })
  const constrained = constraints.length > 0 ? { dataConstraints: constraints } : {}
  return JSON.stringify({ meta, data: { ...Object.fromEntries(byType), ...constrained } })
}

function artefactJson({ artefact, told }: ToldArtefact, apiBase: string): object {
  const { type, id, name } = artefact
  const identity = { id, agencyID: AGENCY, version: VERSION, name }
  const noted = type === 'dataflow' && told !== 'stub' ? { ...identity, annotations: [clockNote] } : identity
  if (told === 'full') return { ...noted, ...contentJson(artefact) }
  return { ...noted, isExternalReference: true, links: [{ rel: 'external', href: structureUrl(apiBase, type, id) }] }
}

const clockNote = { id: 'CLOCK', type: 'CLOCK', text: CLOCK_NOTE }

function contentJson(artefact: SdmxArtefact): object {
  if (artefact.type === 'dataflow') return { structure: urnOf('datastructure', artefact.structure) }
  if (artefact.type === 'datastructure') return { dataStructureComponents: componentsJson(artefact) }
  const partial = artefact.isPartial ? { isPartial: true } : {}
  return { ...partial, [artefact.type === 'codelist' ? 'codes' : 'concepts']: artefact.items }
}

function componentsJson({ dimensions, seriesAttributes, observationAttributes }: DataStructure): object {
  const ofSeries = { dimensions: dimensions.map(({ id }) => id) }
  const attribute = (one: StructureComponent, attributeRelationship: object) => ({
    ...componentJson(one),
    usage: 'optional',
    attributeRelationship,
  })
  return {
    dimensionList: {
      id: 'DimensionDescriptor',
      dimensions: dimensions.map((dimension, position) => ({ ...componentJson(dimension), position })),
      timeDimension: {
        id: TIME_DIMENSION,
        conceptIdentity: conceptOf(TIME_DIMENSION),
        localRepresentation: { format: { dataType: 'ObservationalTimePeriod' } },
      },
    },
    attributeList: {
      id: 'AttributeDescriptor',
      attributes: [
        ...seriesAttributes.map((one) => attribute(one, ofSeries)),
        ...observationAttributes.map((one) => attribute(one, { observation: {} })),
      ],
    },
    measureList: {
      id: 'MeasureDescriptor',
      measures: [
        {
          id: VALUE,
          conceptIdentity: conceptOf(VALUE),
          usage: 'optional',
          localRepresentation: { format: { dataType: 'Decimal' } },
        },
      ],
    },
  }
}

const componentJson = ({ id, codelist }: StructureComponent): object => ({
  id,
  conceptIdentity: conceptOf(id),
  localRepresentation:
    codelist === undefined ? { format: { dataType: 'String' } } : { enumeration: urnOf('codelist', codelist) },
})

const conceptOf = (id: string): string => `${MODEL}.conceptscheme.Concept=${AGENCY}:${CONCEPT_SCHEME}(${VERSION}).${id}`
