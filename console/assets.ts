import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A file of the console, as it is served: at an address that names its content, so that it never has to be asked for again. */
type Asset = {
  /** Address, e.g. `/assets/3f2a…/views/prices.js`. */
  readonly path: string
  readonly contentType: string
  readonly body: string
}

const folder = join(import.meta.dirname, 'browser')
const library = createRequire(import.meta.url)
const read = (file: string): string => readFileSync(file, 'utf8')

/** The chart library as it is packed, which makes a global variable, made a module. */
const chartLibrary = `${read(library.resolve('uplot/dist/uPlot.iife.min.js'))}\nexport default uPlot\n`
/**
 * A file without the comments that have lines of their own: a fifth of what a browser would load. Those within a line stay.
 */
const withoutComments = (body: string): string => body.replace(/^[ \t]*\/(?:\*[\s\S]*?\*\/|\/.*)[ \t]*\n/gm, '')

/** Only modules and the style sheet: declarations of types stay here. */
const own = globSync('**/*.{js,css}', { cwd: folder }).sort()
const files: readonly (readonly [name: string, body: string])[] = [
  ...own.map((name) => [name.replaceAll('\\', '/'), withoutComments(read(join(folder, name)))] as const),
  ['uplot.js', chartLibrary],
  ['uplot.css', read(library.resolve('uplot/dist/uPlot.min.css'))],
]

// One hash for all, so that the modules import each other by relative addresses.
const version = hash('sha256', JSON.stringify(files), 'hex').slice(0, 16)

export const assets: readonly Asset[] = files.map(([name, body]) => ({
  path: `/assets/${version}/${name}`,
  contentType: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
  body,
}))

const pathsOf = (kind: '.js' | '.css'): string[] => assets.map(({ path }) => path).filter((path) => path.endsWith(kind))
export const modulePaths = pathsOf('.js')
/** The library's style first, so that ours comes after it. */
export const stylePaths = pathsOf('.css').sort(
  (a, b) => Number(b.endsWith('/uplot.css')) - Number(a.endsWith('/uplot.css')),
)
export const entryPath = `/assets/${version}/main.js`
