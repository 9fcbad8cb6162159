import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A fenced block of a document that users read. */
export type Snippet = {
  /** File and first line, e.g. `docs/streams.md:31`. */
  readonly place: string
  readonly file: string
  readonly language: string
  readonly text: string
}

/** README and the pages of `docs/`, without the decisions. */
export const documentFiles: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()]

export const documentText = (file: string): string => readFileSync(join(root, file), 'utf8')

export const snippets: readonly Snippet[] = documentFiles.flatMap((file) => {
  const text = documentText(file)
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = '', 2: code = '' }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length + 1}`,
    file,
    language,
    text: code,
  }))
})

/** The one snippet of a file that contains a text. Throws if it isn't exactly one. */
export function snippetWith(file: string, part: string): Snippet {
  const found = snippets.filter((snippet) => snippet.file === file && snippet.text.includes(part))
  const [only] = found
  if (!only || found.length > 1) throw new Error(`${found.length} snippets of ${file} contain ${part}`)
  return only
}
