/**
 * Links the pinned Node to node_modules/.bin/node, where npm scripts find it first. It runs after every installation, on the
 * Node that runs npm (20 or newer), and is plain JavaScript for that reason.
 *
 * npm 11 creates this link itself. npm 10 removes it, because the Node packages for other platforms, which it does not install,
 * have a program of the same name. This script downloads nothing.
 */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const installed = Object.keys(optionalDependencies).find((name) =>
  existsSync(new URL(`node_modules/${name}/bin/node`, root)),
)
const link = new URL('node_modules/.bin/node', root)

// On Windows npm creates scripts instead of links.
if (installed !== undefined && process.platform !== 'win32') {
  rmSync(link, { force: true })
  symlinkSync(`../${installed}/bin/node`, link)
}
