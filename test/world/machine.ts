import type { NodeOptions, WorldNode } from './node.ts'

/** A machine keeps the checkpoints of its processes. `node` runs, `ending` ends as by SIGTERM. */
export class Machine {
  readonly name: string
  readonly checkpoints: NodeOptions['checkpoints'] = new Map()
  node: WorldNode | undefined
  ending: WorldNode | undefined

  constructor(name: string) {
    this.name = name
  }

  /** Kills what runs and removes the checkpoints, as for a restore. Returns whether anything ran. */
  wipe(): boolean {
    const node = this.node ?? this.ending
    node?.kill()
    this.checkpoints.clear()
    return node !== undefined
  }
}
