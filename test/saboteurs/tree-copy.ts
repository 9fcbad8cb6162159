import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Saboteur, sabotaged } from './saboteur.ts'

/**
 * A copy of the working tree with its changes, in which files are sabotaged. The packages are those of the tree, by a symbolic
 * link.
 */
export class TreeCopy {
  readonly root: string

  constructor(tree: string) {
    this.root = mkdtempSync(join(tmpdir(), 'almanac-saboteurs-'))
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: tree,
      encoding: 'utf8',
    })
    for (const file of list.split('\0').filter((name) => name !== '' && name !== 'node_modules')) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true })
      cpSync(join(tree, file), join(this.root, file), { force: true, verbatimSymlinks: true })
    }
    symlinkSync(join(tree, 'node_modules'), join(this.root, 'node_modules'))
  }

  /** Runs `work` while the saboteur's file has its fault. */
  async sabotage<T>(saboteur: Saboteur, work: () => Promise<T>): Promise<T> {
    const file = join(this.root, saboteur.file)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, sabotaged(saboteur, text))
    try {
      return await work()
    } finally {
      writeFileSync(file, text)
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
