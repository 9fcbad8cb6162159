import { Compile, type Type } from '#typebox'
import type { Refusal } from './stream.ts'

/** Makes a check of messages against a schema. It returns undefined if a message fits, else a refusal that says where. */
export function shapeCheck(schema: Type.TSchema): (message: unknown) => Refusal | undefined {
  const validator = Compile(schema)
  return (message) => {
    if (validator.Check(message)) return undefined
    const [first] = validator.Errors(message)
    const where = first?.instancePath.slice(0, 128) || 'The message'
    // The validator reports a member that the schema does not have as "schema is false".
    const isUnknown = first?.message === 'schema is false'
    const detail = isUnknown
      ? `Unknown field ${where}. Known: ${siblings(schema, first.instancePath).join(', ')}.`
      : `${where} ${first?.message ?? 'is not valid'}.`
    return { refused: 'invalid_frame', detail }
  }
}

type Node = { readonly items?: Node; readonly properties?: Readonly<Record<string, Node>> }

/** Fields that the schema has in the object at a path such as `/fx/0/bases`. The cast: TypeBox types leave out keywords. */
function siblings(schema: Type.TSchema, path: string): string[] {
  const steps = path.split('/').slice(1, -1)
  const object = steps.reduce((node: Node | undefined, step) => node?.items ?? node?.properties?.[step], schema as Node)
  return Object.keys(object?.properties ?? {})
}
