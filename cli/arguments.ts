import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './command.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Parses the options and positional arguments of a command. Throws UsageError or an error of `parseArgs` in three cases: an
 * option is unknown, an option that is not `multiple` is given twice, or there are more than `most` positional arguments.
 */
export function parsed<const Given extends Options>(
  args: readonly string[],
  options: Given,
  most = Number.POSITIVE_INFINITY,
) {
  const result = parseArgs({ args: [...args], options, allowPositionals: true })
  // Cast: the tokens need no types that follow from the options.
  const { tokens } = parseArgs({ args: [...args], options: options as Options, allowPositionals: true, tokens: true })
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple) continue
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given twice`)
    seen.add(token.name)
  }
  const surplus = result.positionals.slice(most)
  if (surplus.length > 0) throw new UsageError(`unexpected argument ${surplus.join(' ')}: leave it out`)
  return result
}
