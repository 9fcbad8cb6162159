import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './command.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * The options and the other arguments of a command. Throws UsageError, or an error of `parseArgs`, for an unknown option,
 * for an option given twice that isn't `multiple`, and for more than `most` other arguments.
 */
export function parsed<const Given extends Options>(
  args: readonly string[],
  options: Given,
  most = Number.POSITIVE_INFINITY,
) {
  const result = parseArgs({ args: [...args], options, allowPositionals: true })
  const { tokens } = parseArgs({ args: [...args], options: options as Options, allowPositionals: true, tokens: true })
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple) continue
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given twice`)
    seen.add(token.name)
  }
  const surplus = result.positionals.slice(most)
  if (surplus.length > 0) throw new UsageError(`nothing is known to do with ${surplus.join(' ')}`)
  return result
}
