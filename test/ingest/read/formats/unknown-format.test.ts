import { expect, it } from 'vitest'
import { readObservations } from '../../../../ingest/read/formats/read-observations.ts'

it.each([
  ['plain words\n', 'The document is text that begins "plain words", which is no format that is read.'],
  [
    'a,b\n1,2\n',
    'The document is a table with the columns a, b, which is no format that is read; it begins "a,b\\n1,2\\n".',
  ],
])('says once how a document of no known format begins: %j', (text, detail) => {
  expect(() => [...readObservations([Buffer.from(text)])]).toThrow(expect.objectContaining({ message: detail }))
})

const messages = 'http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message'
const dataSet = '<DataSet><Group><Section><OBS_VALUE value="1"/></Section></Group></DataSet>'

it.each([
  ['MessageGroup', dataSet],
  ['CrossSectionalData', dataSet],
  ['UtilityData', dataSet],
])('says of an SDMX-ML message with data that is not read, %s, how to take them', (root, content) => {
  const text = `<${root} xmlns="${messages}"><Header><ID>1</ID></Header>${content}</${root}>`
  const detail = `The document is SDMX-ML 2.0 ${root}, which is not read. Take the same data as a generic, compact or structure-specific message, or as SDMX-CSV.`
  expect(() => [...readObservations([Buffer.from(text)])]).toThrow(
    expect.objectContaining({ reason: 'unknown_format', message: detail }),
  )
})

it('says of a structure message that it has no observations', () => {
  const text = `<Structure xmlns="${messages}"><Header><ID>1</ID></Header><CodeLists/></Structure>`
  expect(() => [...readObservations([Buffer.from(text)])]).toThrow(
    expect.objectContaining({ reason: 'no_data_message', message: expect.stringContaining('without observations') }),
  )
})

const jsonStatDataset = (value: number) => ({
  class: 'dataset',
  extension: { id: 'A', agencyId: 'B' },
  id: ['time'],
  size: [1],
  dimension: { time: { category: { index: ['2024'] } } },
  value: [value],
})
const collection = (...item: object[]) =>
  Buffer.from(JSON.stringify({ version: '2.0', class: 'collection', link: { item } }))

it('reads the datasets that a JSON-stat collection holds', () => {
  const link = { class: 'dataset', href: 'https://example.org/b' }
  const found = [...readObservations([collection(jsonStatDataset(1), link, jsonStatDataset(2))])]
  expect(found).toMatchObject([
    { value: '1', period: '2024', location: 'item 0, value 0' },
    { value: '2', dataset: { dataflow: { agency: 'B', id: 'A' } }, location: 'item 2, value 0' },
  ])
})

it('says of a JSON-stat collection of links that it is one', () => {
  expect(() => [...readObservations([collection({ class: 'dataset', href: 'https://example.org/b' })])]).toThrow(
    expect.objectContaining({
      reason: 'no_data_message',
      message: 'The document is a JSON-stat collection that only links to 1 others. Take the datasets themselves.',
    }),
  )
})
