import { type Description, type Member, type Model, modelsWithDecimals, type Shape } from './model.ts'

const header = '// Made by clients/generate/main.ts. Do not edit.\n'

/** The generated files of the TypeScript client, by their names. */
export const typescriptFiles = (description: Description, table: TransitionTable): Record<string, string> => ({
  'schema.ts': schemaFile(description),
  'operations.ts': operationsFile(description),
  'decimals.ts': decimalsFile(description),
  'stream-errors.ts': streamErrorsFile(description),
  'transitions.ts': transitionsFile(table),
})

export type TransitionTable = Readonly<Record<string, unknown>> & { readonly states: Readonly<Record<string, string>> }

const comment = (text: string, indent = ''): string =>
  text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '')} */\n`
const quoted = (text: string): string => `'${text}'`

function typeOf(shape: Shape, generic: ReadonlySet<string>): string {
  switch (shape.kind) {
    case 'decimal':
      return 'D'
    case 'text':
      return 'string'
    case 'integer':
      return 'number'
    case 'boolean':
    case 'null':
      return shape.kind
    case 'any':
      return 'unknown'
    case 'enum':
      return shape.values.map(quoted).join(' | ')
    case 'list': {
      const item = typeOf(shape.of, generic)
      return item.includes('|') ? `readonly (${item})[]` : `readonly ${item}[]`
    }
    case 'map':
      return `Readonly<Record<string, ${typeOf(shape.of, generic)}>>`
    case 'ref':
      return generic.has(shape.name) ? `${shape.name}<D>` : shape.name
    case 'union':
      return shape.members.map((member) => typeOf(member, generic)).join(' | ')
  }
}

function memberLine(
  { name, shape, isRequired, description }: Member,
  generic: ReadonlySet<string>,
  indent = '  ',
): string {
  const optional = isRequired ? ['', ''] : ['?', ' | undefined']
  return `${comment(description, indent)}${indent}readonly ${name}${optional[0]}: ${typeOf(shape, generic)}${optional[1]}\n`
}

function schemaFile(description: Description): string {
  const { models, problemCodes, streamErrorCodes, streamNames } = description
  const generic = modelsWithDecimals(models)
  const types = models.map(
    ({ name, description: text, members }: Model) =>
      `${comment(text)}export type ${name}${generic.has(name) ? '<D = string>' : ''} = {\n${members.map((member) => memberLine(member, generic)).join('')}}\n`,
  )
  const union = (name: string, codes: readonly string[]) =>
    `export type ${name} =\n${codes.map((code) => `  | '${code}'\n`).join('')}`
  const byName = models.map(({ name }) => `  readonly ${name}: ${generic.has(name) ? `${name}<D>` : name}\n`)
  return [
    header,
    '// `D` is the type of a decimal: its text, unless the client was given a converter.\n',
    ...types,
    '/** Every schema by its name, which is also the last part of an event’s `dataschema`. */\n',
    `export type Schemas<D = string> = {\n${byName.join('')}}\n`,
    operationTypes(description, generic),
    `export type StreamName = ${streamNames.map(quoted).join(' | ')}\n`,
    '/** The codes of problems (RFC 9457). New ones may be added within /v1. */\n',
    `${union('ProblemCode', problemCodes)}\n/** The codes that end a stream. New ones may be added within /v1. */\n${union('StreamErrorCode', streamErrorCodes)}`,
  ].join('\n')
}

function operationTypes({ operations }: Description, generic: ReadonlySet<string>): string {
  const types = operations.map(({ id, summary, params, query, body, answer }) => {
    const members = [...params, ...query, ...body]
    const lines = members.map((member) => memberLine(member, generic, '      ')).join('')
    const args = members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines}    }`
    return `${comment(summary, '  ')}  readonly ${id}: {\n    readonly args: ${args}\n    readonly answer: ${typeOf(answer, generic)}\n  }\n`
  })
  return `/** What each operation takes and answers. */\nexport type Operations<D = string> = {\n${types.join('')}}\n`
}

function operationsFile({ operations }: Description): string {
  const entries = operations.map(({ id, method, path, answer }) => {
    const schema = answer.kind === 'ref' ? answer.name : ''
    return `  ${id}: ['${method}', '${path}', '${schema}'],\n`
  })
  return `${header}\n/** Method, path and schema of the answer, by operation id. */\nexport const operations = {\n${entries.join('')}} as const\n`
}

/** Where decimals are in each schema: 1 for a decimal, the name of a schema for a value that holds some. */
function decimalsFile({ models }: Description): string {
  const generic = modelsWithDecimals(models)
  const mark = (shape: Shape): string | undefined => {
    if (shape.kind === 'decimal') return '1'
    if (shape.kind === 'ref') return generic.has(shape.name) ? quoted(shape.name) : undefined
    if (shape.kind === 'list' || shape.kind === 'map') return mark(shape.of)
    if (shape.kind === 'union') return shape.members.map(mark).find((found) => found !== undefined)
    return undefined
  }
  const entries = models
    .filter(({ name }) => generic.has(name))
    .map(({ name, members }) => {
      const marked = members.flatMap((member) => {
        const found = mark(member.shape)
        return found === undefined ? [] : [`${member.name}: ${found}`]
      })
      return `  ${name}: { ${marked.join(', ')} },\n`
    })
  return [
    header,
    '/** Where the decimals of each schema are: 1, or the name of the schema of a value that holds some. */',
    `export const decimals: Readonly<Record<string, Readonly<Record<string, 1 | string>>>> = {\n${entries.join('')}}\n`,
  ].join('\n')
}

function streamErrorsFile({ streamErrorMeanings }: Description): string {
  const entries = streamErrorMeanings.map(([code, meaning]) => `  ${code}: ${JSON.stringify(meaning)},\n`)
  return `${header}\n/** Meaning of each error of a stream, and what to do. */\nexport const streamErrorMeanings: Readonly<Record<string, string>> = {\n${entries.join('')}}\n`
}

function transitionsFile({ description: _, states, ...rest }: TransitionTable): string {
  const content = { states: Object.keys(states), ...rest }
  return `${header}\n/** clients/stream-transitions.json */\nexport const table = ${JSON.stringify(content)} as const\n`
}
