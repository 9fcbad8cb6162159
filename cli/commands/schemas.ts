import { program } from '../../contracts/program.ts'
import { releaseSchemas } from '../../journal/release-schemas.ts'
import { type Command, print, UsageError } from '../command.ts'

export const command: Command = {
  usage: `${program} schemas release

Writes contracts/avro/<topic>.<version>.avsc for every topic whose record schema has changed.`,
  async run(args) {
    if (args.join(' ') !== 'release') throw new UsageError(`the only action is release: \`${program} schemas release\``)
    const written = releaseSchemas()
    print(written.length === 0 ? 'nothing has changed' : `released ${written.join(', ')}`)
    return 0
  },
}
