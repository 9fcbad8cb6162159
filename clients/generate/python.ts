import type { Description, Member, OperationModel, Shape } from './model.ts'
import type { TransitionTable } from './typescript.ts'

const header = '# Made by clients/generate/main.ts. Do not edit.\n'

/** The generated files of the Python client, by their names. */
export const pythonFiles = (description: Description, table: TransitionTable): Record<string, string> => ({
  '__init__.py': '',
  'models.py': modelsFile(description),
  'operations.py': operationsFile(description),
  'stream_errors.py': streamErrorsFile(description),
  'transitions.py': transitionsFile(table),
})

const docstring = (text: string, indent: string): string =>
  text === '' ? '' : `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""\n`

function typeOf(shape: Shape, prefix = ''): string {
  switch (shape.kind) {
    case 'decimal':
      return 'Decimal'
    case 'text':
      return 'str'
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'any':
      return 'Any'
    case 'enum':
      return `Literal[${shape.values.map((value) => JSON.stringify(value)).join(', ')}]`
    case 'list':
      return `list[${typeOf(shape.of, prefix)}]`
    case 'map':
      return `dict[str, ${typeOf(shape.of, prefix)}]`
    case 'ref':
      return prefix + shape.name
    case 'union':
      return shape.members.map((member) => typeOf(member, prefix)).join(' | ')
  }
}

const optional = (type: string): string => (/(?:^|\| )None$/.test(type) ? type : `${type} | None`)

function field({ name, shape, isRequired, description }: Member): string {
  const type = typeOf(shape)
  return `    ${name}: ${isRequired ? type : `${optional(type)} = None`}\n${docstring(description, '    ')}`
}

function modelsFile({ models, problemCodes, streamErrorCodes, streamNames }: Description): string {
  const decorated = '@dataclass(frozen=True, slots=True, kw_only=True)\n'
  const classes = models.map(
    ({ name, description, members }) =>
      `\n\n${decorated}class ${name}:\n${docstring(description, '    ')}${members.length === 0 ? '    pass\n' : `\n${members.map(field).join('\n')}`}`,
  )
  const codes = (name: string, list: readonly string[]) =>
    `\n${name} = Literal[\n${list.map((code) => `    "${code}",\n`).join('')}]\n`
  return [
    header,
    'from __future__ import annotations\n\nfrom dataclasses import dataclass\nfrom decimal import Decimal\nfrom typing import Any, Literal\n',
    ...classes,
    `\n\nMODELS: dict[str, type] = {\n${models.map(({ name }) => `    "${name}": ${name},\n`).join('')}}\n`,
    '"""Every model by its name, which is also the last part of an event\'s `dataschema`."""\n',
    codes('ProblemCode', problemCodes),
    codes('StreamErrorCode', streamErrorCodes),
    codes('StreamName', streamNames),
  ].join('')
}

function operationsFile({ operations }: Description): string {
  const entries = operations.map(
    ({ id, method, path, answer }) =>
      `    "${id}": Operation("${method}", "${path}", ${answer.kind === 'ref' ? `"${answer.name}"` : 'None'}),\n`,
  )
  return [
    header,
    'from __future__ import annotations\n\nfrom typing import Any, Literal, NamedTuple\n\nfrom . import models\n',
    '\n\nclass Operation(NamedTuple):\n    method: str\n    path: str\n    answer: str | None\n    """Name of the model of the answer; None: text."""\n',
    `\n\nOPERATIONS = {\n${entries.join('')}}\n`,
    `\n\nclass RestMethods:\n    """Every operation of the service, by its id."""\n\n    def _call(self, operation: str, args: dict[str, Any]) -> Any:\n        raise NotImplementedError\n`,
    ...operations.map((operation) => methodOf(operation, false)),
    `\n\nclass AsyncRestMethods:\n    """Every operation of the service, by its id."""\n\n    async def _call(self, operation: str, args: dict[str, Any]) -> Any:\n        raise NotImplementedError\n`,
    ...operations.map((operation) => methodOf(operation, true)),
  ].join('')
}

function methodOf({ id, summary, params, query, body, answer }: OperationModel, isAsync: boolean): string {
  const named = [...query, ...body]
  const typed = ({ name, shape, isRequired }: Member) => {
    const type = typeOf(shape, 'models.')
    return isRequired ? `${name}: ${type}` : `${name}: ${optional(type)} = None`
  }
  const signature = ['self', ...params.map(typed), ...(named.length > 0 ? ['*', ...named.map(typed)] : [])]
  const args = [...params, ...named].map(({ name }) => `"${name}": ${name}`).join(', ')
  return [
    `\n    ${isAsync ? 'async ' : ''}def ${id}(\n${signature.map((part) => `        ${part},\n`).join('')}    ) -> ${typeOf(answer, 'models.')}:\n`,
    docstring(summary, '        '),
    `        return ${isAsync ? 'await ' : ''}self._call("${id}", {${args}})\n`,
  ].join('')
}

function streamErrorsFile({ streamErrorMeanings }: Description): string {
  const entries = streamErrorMeanings.map(([code, meaning]) => `    "${code}": ${JSON.stringify(meaning)},\n`)
  return `${header}\nSTREAM_ERROR_MEANINGS: dict[str, str] = {\n${entries.join('')}}\n"""Meaning of each error of a stream, and what to do."""\n`
}

/** As JSON text in a string: Python's own reader makes the same values of it as every other. */
function transitionsFile({ description: _, ...table }: TransitionTable): string {
  return `${header}\nfrom __future__ import annotations\n\nimport json\nfrom typing import Any\n\n# clients/stream-transitions.json\nTABLE: dict[str, Any] = json.loads(\n    r"""\n${JSON.stringify(table, null, 1)}\n"""\n)\n`
}
