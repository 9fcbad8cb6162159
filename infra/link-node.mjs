/**
 * Puts the pinned Node where npm scripts find it first: node_modules/.bin/node. Runs after every installation, on whatever
 * Node npm itself runs on (20 or newer), hence plain JavaScript.
 *
 * npm 11 makes this link by itself. npm 10 takes it away again, because the packages for other platforms, which it leaves
 * out, have a program of the same name. Nothing is fetched here.
 */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const installed = Object.keys(optionalDependencies).find((name) =>
  existsSync(new URL(`node_modules/${name}/bin/node`, root)),
)
const link = new URL('node_modules/.bin/node', root)

// On Windows npm makes scripts in place of links.
if (installed !== undefined && process.platform !== 'win32') {
  rmSync(link, { force: true })
  symlinkSync(`../${installed}/bin/node`, link)
}
