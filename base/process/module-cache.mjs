/**
 * Keeps the JavaScript of modules between processes, beside the installed packages. Without it, Node 22 strips the types of
 * each module again in each process and compiles it, which is more than half of the CPU time of a short command. Loaded
 * before other modules, by `--import` or as the first import of a program whose other modules are imported dynamically.
 *
 * Where nothing can be written, for example in an image, or in the directory of another user, Node does what it does without this.
 * Files outside of this clone, such as projections of users, are left to Node.
 *
 * In JavaScript, because Node would load its own stripper of types for this file alone: 40 ms of CPU time of each process.
 */
import { hash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { enableCompileCache, registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url).href
const directory = fileURLToPath(new URL('../../node_modules/.cache/almanac/', import.meta.url))

/**
 * The content proves itself: its last line is the hash of the rest. A file that a power failure cut short is made anew.
 * @param {string} file
 */
function kept(file) {
  try {
    const text = readFileSync(file, 'utf8')
    const end = text.lastIndexOf('\n//')
    const code = text.slice(0, end)
    return text.slice(end + 3) === hash('sha1', code) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {string} file
 * @param {string} code
 */
function keep(file, code) {
  const unfinished = `${file}.${process.pid}`
  try {
    writeFileSync(unfinished, `${code}\n//${hash('sha1', code)}`)
    renameSync(unfinished, file)
  } catch {
    // The disk is full.
    rmSync(unfinished, { force: true })
  }
}

/**
 * Returns undefined if Node should do it itself, because the source has an error: only then does that name the file and the line.
 * Calling Node's function by its public name prints that it is experimental. That Node does the same by itself is stable.
 * @param {string} source
 */
function strip(source) {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } catch {
    return undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** @param {string} path */
function canWriteIn(path) {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (canWriteIn(directory)) {
  enableCompileCache(directory)
  registerHooks({
    // What Node does for each import of ours, without looking for packages and links.
    resolve(specifier, context, next) {
      const { parentURL } = context
      if (!specifier.startsWith('.') || !specifier.endsWith('.ts') || !parentURL?.startsWith(root))
        return next(specifier, context)
      const { href } = new URL(specifier, parentURL)
      // Node's own error names the module that imports it.
      if (!existsSync(fileURLToPath(href))) return next(specifier, context)
      return { url: href, format: 'module', shortCircuit: true }
    },
    load(url, context, next) {
      if (!url.startsWith(root) || !url.endsWith('.ts') || url.includes('/node_modules/')) return next(url, context)
      const text = readFileSync(fileURLToPath(url), 'utf8')
      const file = `${directory}${hash('sha1', process.version + text)}.js`
      let source = kept(file)
      if (source === undefined) {
        source = strip(text)
        if (source === undefined) return next(url, context)
        keep(file, source)
      }
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
