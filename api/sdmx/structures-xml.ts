/** Structures as SDMX-ML 2.1. Each part stands where the standard's schema wants it. */

import { xmlAttributes, xmlText } from '../xml.ts'
import {
  CLOCK_NOTE,
  CONCEPT_SCHEME,
  type DataStructure,
  type SchemeItem,
  type SdmxArtefact,
  type StructureComponent,
  TIME_DIMENSION,
  VALUE,
} from './artefacts.ts'
import type { StructureType } from './calls.ts'
import { AGENCY, VERSION } from './flows.ts'
import { messageHead, reference } from './xml-message.ts'

/** How much is told of a structure: all of it, or that it exists, with its notes or without. */
export type Told = 'full' | 'complete-stub' | 'stub'
export type ToldArtefact = { readonly artefact: SdmxArtefact; readonly told: Told }

/** Names of elements by type: of the list, of one in it, and of an item. In the order of the schema. */
const elements = [
  ['dataflow', 'Dataflows', 'Dataflow', ''],
  ['codelist', 'Codelists', 'Codelist', 'Code'],
  ['conceptscheme', 'Concepts', 'ConceptScheme', 'Concept'],
  ['datastructure', 'DataStructures', 'DataStructure', ''],
] as const satisfies readonly (readonly [StructureType, ...string[]])[]

/** A message with structures. */
export function structuresXml(all: readonly ToldArtefact[], now: Date, apiBase: string, constraints = ''): string {
  const lists = elements.flatMap(([type, list, element, item]) => {
    const own = all.filter(({ artefact }) => artefact.type === type)
    const parts = own.map((one) => artefactXml(one, element, item, apiBase))
    return own.length > 0 ? [`<str:${list}>`, ...parts, `</str:${list}>`] : []
  })
  const parts = ['<mes:Structures>', ...lists, ...(constraints === '' ? [] : [constraints]), '</mes:Structures>']
  return [messageHead('Structure', now), ...parts, '</mes:Structure>', ''].join('\n')
}

const nameXml = (name: string): string => `<com:Name xml:lang="en">${xmlText(name)}</com:Name>`

const clockNote = [
  '<com:Annotations><com:Annotation id="CLOCK"><com:AnnotationType>CLOCK</com:AnnotationType>',
  `<com:AnnotationText xml:lang="en">${xmlText(CLOCK_NOTE)}</com:AnnotationText></com:Annotation></com:Annotations>`,
].join('')

function artefactXml({ artefact, told }: ToldArtefact, element: string, item: string, apiBase: string): string {
  const { type, id, name } = artefact
  const identity = { id, version: VERSION, agencyID: AGENCY }
  const elsewhere = { isExternalReference: 'true', structureURL: structureUrl(apiBase, type, id) }
  const partial = 'isPartial' in artefact && artefact.isPartial ? xmlAttributes({ isPartial: 'true' }) : ''
  const attributes = xmlAttributes(told === 'full' ? identity : { ...identity, ...elsewhere }) + partial
  const notes = type === 'dataflow' && told !== 'stub' ? clockNote : ''
  const content = told === 'full' ? contentXml(artefact, item) : ''
  return `<str:${element}${attributes}>${notes}${nameXml(name)}${content}</str:${element}>`
}

/** The address at which the whole of a structure is. */
export const structureUrl = (apiBase: string, type: StructureType, id: string): string =>
  `${apiBase}/sdmx/2.1/${type}/${AGENCY}/${id}/${VERSION}`

function contentXml(artefact: SdmxArtefact, item: string): string {
  if (artefact.type === 'dataflow') {
    return `<str:Structure>${reference('datastructure', artefact.structure)}</str:Structure>`
  }
  if (artefact.type === 'datastructure') return componentsXml(artefact)
  const itemXml = ({ id, name }: SchemeItem) => `<str:${item}${xmlAttributes({ id })}>${nameXml(name)}</str:${item}>`
  return artefact.items.map(itemXml).join('\n')
}

function componentsXml({ dimensions, seriesAttributes, observationAttributes }: DataStructure): string {
  const dimensionXml = (dimension: StructureComponent, i: number) =>
    componentXml('Dimension', { id: dimension.id, position: i + 1 }, codesXml(dimension))
  const time = componentXml(
    'TimeDimension',
    { id: TIME_DIMENSION, position: dimensions.length + 1 },
    formatXml('ObservationalTimePeriod'),
  )
  const ofDimensions = dimensions.map(({ id }) => `<str:Dimension><Ref id="${id}"/></str:Dimension>`).join('')
  const ofValue = `<str:PrimaryMeasure><Ref id="${VALUE}"/></str:PrimaryMeasure>`
  const attributeXml = (attribute: StructureComponent, relationship: string) =>
    componentXml(
      'Attribute',
      { id: attribute.id, assignmentStatus: 'Conditional' },
      codesXml(attribute),
      `<str:AttributeRelationship>${relationship}</str:AttributeRelationship>`,
    )
  const lists = [
    ['DimensionList', 'DimensionDescriptor', [...dimensions.map(dimensionXml), time]],
    [
      'AttributeList',
      'AttributeDescriptor',
      [
        ...seriesAttributes.map((one) => attributeXml(one, ofDimensions)),
        ...observationAttributes.map((one) => attributeXml(one, ofValue)),
      ],
    ],
    ['MeasureList', 'MeasureDescriptor', [componentXml('PrimaryMeasure', { id: VALUE }, formatXml('Decimal'))]],
  ] as const
  const parts = lists.map(
    ([list, id, components]) => `<str:${list} id="${id}">\n${components.join('\n')}\n</str:${list}>`,
  )
  return `<str:DataStructureComponents>\n${parts.join('\n')}\n</str:DataStructureComponents>`
}

function componentXml(
  element: string,
  attributes: { readonly id: string; readonly position?: number; readonly assignmentStatus?: string },
  representation: string,
  relationship = '',
): string {
  const concept = xmlAttributes({
    id: attributes.id,
    maintainableParentID: CONCEPT_SCHEME,
    maintainableParentVersion: VERSION,
    agencyID: AGENCY,
    package: 'conceptscheme',
    class: 'Concept',
  })
  const parts = [
    `<str:ConceptIdentity><Ref${concept}/></str:ConceptIdentity>`,
    `<str:LocalRepresentation>${representation}</str:LocalRepresentation>`,
    relationship,
  ]
  return `<str:${element}${xmlAttributes(attributes)}>${parts.join('')}</str:${element}>`
}

const codesXml = ({ codelist }: StructureComponent): string =>
  codelist === undefined ? formatXml('String') : `<str:Enumeration>${reference('codelist', codelist)}</str:Enumeration>`

const formatXml = (textType: string): string => `<str:TextFormat textType="${textType}"/>`
