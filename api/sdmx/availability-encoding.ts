/** The availability of a flow as a constraint of SDMX-ML 2.1 and SDMX-JSON 2.0. */

import { xmlText } from '../xml.ts'
import { TIME_DIMENSION } from './artefacts.ts'
import type { Availability } from './availability.ts'
import { AGENCY, VERSION } from './flows.ts'
import { urnOf } from './structures-json.ts'
import { reference } from './xml-message.ts'

const idOf = ({ flow }: Availability): string => `AVAILABLE_${flow.id}`
const nameOf = ({ flow }: Availability): string => `What ${flow.id} has data for`

/** How many there are, in annotations as other services write them. */
const metrics = ({ series, observations }: Availability) =>
  [
    ['series_count', series],
    ['obs_count', observations],
  ] as const
const METRICS = 'sdmx_metrics'

export function availabilityXml(available: Availability): string {
  const { flow, codes, time } = available
  const notes = metrics(available).map(
    ([id, count]) =>
      `<com:Annotation id="${id}"><com:AnnotationTitle>${count}</com:AnnotationTitle><com:AnnotationType>${METRICS}</com:AnnotationType></com:Annotation>`,
  )
  const values = [...codes].map(
    ([id, own]) =>
      `<com:KeyValue id="${id}">${own.map((code) => `<com:Value>${xmlText(code)}</com:Value>`).join('')}</com:KeyValue>`,
  )
  const range = time && [
    `<com:KeyValue id="${TIME_DIMENSION}"><com:TimeRange><com:StartPeriod isInclusive="true">${time.first}</com:StartPeriod>`,
    `<com:EndPeriod isInclusive="true">${time.last}</com:EndPeriod></com:TimeRange></com:KeyValue>`,
  ]
  return [
    '<str:Constraints>',
    `<str:ContentConstraint id="${idOf(available)}" agencyID="${AGENCY}" version="${VERSION}" type="Actual">`,
    `<com:Annotations>${notes.join('')}</com:Annotations>`,
    `<com:Name xml:lang="en">${xmlText(nameOf(available))}</com:Name>`,
    `<str:ConstraintAttachment><str:Dataflow>${reference('dataflow', flow.id)}</str:Dataflow></str:ConstraintAttachment>`,
    '<str:CubeRegion include="true">',
    ...values,
    ...(range ?? []),
    '</str:CubeRegion>',
    '</str:ContentConstraint>',
    '</str:Constraints>',
  ].join('\n')
}

export function availabilityJson(available: Availability): object {
  const { flow, codes, time } = available
  const values = [...codes].map(([id, own]) => ({ id, values: own.map((value) => ({ value })) }))
  const bound = (period: string) => ({ period, isInclusive: true })
  const range = time && {
    id: TIME_DIMENSION,
    timeRange: { startPeriod: bound(time.first), endPeriod: bound(time.last) },
  }
  return {
    id: idOf(available),
    agencyID: AGENCY,
    version: VERSION,
    name: nameOf(available),
    annotations: metrics(available).map(([id, count]) => ({ id, title: String(count), type: METRICS })),
    role: 'Actual',
    constraintAttachment: { dataflows: [urnOf('dataflow', flow.id)] },
    cubeRegions: [{ include: true, keyValues: range ? [...values, range] : values }],
  }
}
