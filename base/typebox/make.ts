import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Makes `bundle.mjs`: the parts of the package `typebox` that are used here, as one file. The package has 680 files, whose loading
 * was a sixth of the CPU time of a short command. Names are kept, so that stack traces stay readable.
 */
export async function typeboxBundle(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'entry.mjs') })
  const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
  const { output } = await bundle.generate({ format: 'esm', minify })
  const licence = await readFile(join(import.meta.dirname, '../../node_modules/typebox/license'), 'utf8')
  return `/*\nThe package typebox as one file, made by \`npm run bundle:typebox\`. Its licence:\n\n${licence.trim()}\n*/\n${output[0].code}\n`
}

if (import.meta.main) await writeFile(join(import.meta.dirname, 'bundle.mjs'), await typeboxBundle())
