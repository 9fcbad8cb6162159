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
