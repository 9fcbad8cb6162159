import { Type } from '#typebox'
import { Copy, FigureFile, Provenance } from './records.ts'
import { IsoDate, nullable, strict, Timestamp } from './scalars.ts'

/** Where a figure comes from, as it is served: what is not known is null. */

// Nested schemas have no name, because the serialiser allows a name once in a body.
const members = {
  ...Provenance.properties,
  retrieved_at: nullable({
    ...Timestamp,
    description: 'When the document was fetched from its publisher; null if that is not known',
  }),
  sha256: nullable(
    Type.String({ description: 'SHA-256 of the document, hexadecimal; null if the document was not at hand' }),
  ),
  copy: {
    ...nullable(strict({ ...Copy.properties, held_on: nullable(IsoDate) })),
    description:
      'The copy through which the figure came: who holds it (`holder`), its address and revision there, the day on which it was there (`held_on`), and whether the figures were typed from it by hand (`is_transcribed`). Null if the publisher’s own document was read',
  },
  file: {
    ...nullable(strict(FigureFile.properties)),
    description:
      'The file in Almanac’s own format that states the figure, with its SHA-256; null if the document itself was read',
  },
}
const description =
  'A document: its publisher, address, licence and SHA-256, when it was fetched, the copy and the file through which it was read, and the place in it'

export const ServedProvenance = strict(members, { $id: 'Provenance', description })
export type ServedProvenance = Type.Static<typeof ServedProvenance>

/** The same for a body that has a `Provenance` already. */
export const namelessProvenance = () => strict(members, { description })
