import type Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Refusal } from './stream.ts'

/** A check of a client’s message against its schema: undefined if it fits, else the refusal, naming what and where. */
export function shapeCheck(schema: Type.TSchema): (message: unknown) => Refusal | undefined {
  const validator = Compile(schema)
  return (message) => {
    if (validator.Check(message)) return undefined
    const [first] = validator.Errors(message)
    const where = first?.instancePath.slice(0, 128) || 'The message'
    const what = first?.message === 'schema is false' ? 'is no member that is known' : first?.message
    return { refused: 'invalid_frame', detail: `${where} ${what ?? 'is not valid'}.` }
  }
}
