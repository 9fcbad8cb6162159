import { createPrivateFiles } from '../infra/private-files.ts'
import { quietLmdb } from './quiet-lmdb.ts'
import { runProgram } from './run-program.ts'

quietLmdb()
createPrivateFiles()

// The reader of the output, such as `head`, may be gone. Further output is then dropped and the command goes on, because it
// may have more to write than text: `ingest` reads all its files, and its exit code is true. `replay` ends by itself.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await runProgram(process.argv.slice(2), process.env)
