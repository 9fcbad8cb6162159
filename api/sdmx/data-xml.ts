/** Writes data sets as SDMX-ML 2.1, in its generic and in its structure-specific form. */

import { inTurns } from '../render.ts'
import { xmlAttributes, xmlText } from '../xml.ts'
import { structureIdOf } from './artefacts.ts'
import { type DataQuestion, showsObservations } from './data-question.ts'
import type { ComponentValues, DataSet } from './data-sets.ts'
import { AGENCY, VERSION } from './flows.ts'
import type { FlowObservation } from './read-data.ts'
import { messageHead, reference } from './xml-message.ts'

/** How a form writes series and observations. A value is one pair, or none if there is to be none. */
type Form = {
  readonly root: string
  dataSet(structure: string, dimension: string, members: Readonly<Record<string, string>>): string
  series(key: ComponentValues, attributes: ComponentValues): string
  readonly seriesEnd: string
  observation(period: string, value: ComponentValues, attributes: ComponentValues): string
  /** An observation with its whole key. */
  flat(key: ComponentValues, value: ComponentValues, attributes: ComponentValues): string
}

const generic: Form = {
  root: 'GenericData',
  dataSet: (structure, _dimension, members) => `<mes:DataSet${xmlAttributes({ structureRef: structure, ...members })}>`,
  series: (key, attributes) =>
    `<gen:Series>${genericValues('SeriesKey', key)}${genericValues('Attributes', attributes)}`,
  seriesEnd: '</gen:Series>',
  observation: (period, value, attributes) =>
    `<gen:Obs><gen:ObsDimension value="${period}"/>${genericValue(value)}${genericValues('Attributes', attributes)}</gen:Obs>`,
  flat: (key, value, attributes) =>
    `<gen:Obs>${genericValues('ObsKey', key)}${genericValue(value)}${genericValues('Attributes', attributes)}</gen:Obs>`,
}

const genericValue = (value: ComponentValues): string =>
  value.map(([, text]) => `<gen:ObsValue value="${text}"/>`).join('')

function genericValues(element: string, values: ComponentValues): string {
  if (values.length === 0) return ''
  const entries = values.map(([id, text]) => `<gen:Value id="${id}" value="${xmlText(text)}"/>`)
  return `<gen:${element}>${entries.join('')}</gen:${element}>`
}

const specific: Form = {
  root: 'StructureSpecificData',
  dataSet: (structure, dimension, members) => {
    const own = Object.entries(members).map(([name, text]) => ` ss:${name}="${text}"`)
    return `<mes:DataSet xmlns:own="${namespaceOf(structure, dimension)}" ss:structureRef="${structure}" ss:dataScope="DataStructure" xsi:type="own:DataSetType"${own.join('')}>`
  },
  series: (key, attributes) => `<Series${specificValues([...key, ...attributes])}>`,
  seriesEnd: '</Series>',
  observation: (period, value, attributes) =>
    `<Obs TIME_PERIOD="${period}"${specificValues([...value, ...attributes])}/>`,
  flat: (key, value, attributes) => `<Obs${specificValues([...key, ...value, ...attributes])}/>`,
}

const specificValues = (values: ComponentValues): string =>
  values.map(([id, text]) => ` ${id}="${xmlText(text)}"`).join('')

const namespaceOf = (structure: string, dimension: string): string =>
  `urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=${AGENCY}:${structure}(${VERSION}):ObsLevelDim:${dimension}`

/** Writes a message. It is made in parts, so that other requests are answered between them. */
export async function dataXml(question: DataQuestion, sets: readonly DataSet[], now: Date): Promise<string> {
  const { flow, format, isFlat } = question
  const form = format.encoding === 'generic' ? generic : specific
  const structure = structureIdOf(flow)
  const dimension = isFlat ? 'AllDimensions' : 'TIME_PERIOD'
  const namespace = form === specific ? { namespace: namespaceOf(structure, dimension) } : {}
  const about = xmlAttributes({ structureID: structure, ...namespace, dimensionAtObservation: dimension })
  const structures = `<mes:Structure${about}><com:Structure>${reference('datastructure', structure)}</com:Structure></mes:Structure>`
  const parts = sets.flatMap((set) => [
    () => form.dataSet(structure, dimension, membersOf(set)),
    ...partsOf(set, form, question),
    () => '</mes:DataSet>',
  ])
  const texts = await inTurns(parts, (part) => part())
  return [messageHead(form.root, now, structures), ...texts, `</mes:${form.root}>`, ''].join('\n')
}

/** Days of validity as instants. They have no time zone, because they are days of the publisher. */
const membersOf = ({ action, validity }: DataSet): Record<string, string> => ({
  action,
  ...(validity ? { validFromDate: `${validity.from}T00:00:00`, validToDate: `${validity.to}T23:59:59` } : {}),
})

type Part = () => string

function partsOf({ action, attributesOf, series }: DataSet, form: Form, { detail, isFlat }: DataQuestion): Part[] {
  const valueIn = ({ value }: FlowObservation): ComponentValues =>
    action === 'Delete' ? [] : [['OBS_VALUE', value ?? 'NaN']]
  return series.flatMap(({ key, attributes, observations }): Part[] => {
    const shown = showsObservations(detail) ? observations : []
    if (isFlat) {
      return shown.map((one) => () => {
        const whole: ComponentValues = [...key, ['TIME_PERIOD', one.period]]
        return form.flat(whole, valueIn(one), [...attributes, ...attributesOf(one)])
      })
    }
    return [
      () => form.series(key, attributes),
      ...shown.map((one) => () => form.observation(one.period, valueIn(one), attributesOf(one))),
      () => form.seriesEnd,
    ]
  })
}
