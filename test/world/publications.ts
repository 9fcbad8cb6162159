import { isPassing } from '../../journal/journal.ts'
import type { SimulatedTime } from '../support/simulated-time.ts'
import type { StatedDocument } from './evidence.ts'
import type { WorldNode } from './node.ts'
import type { Publication } from './publisher.ts'

/** Time after which a publisher sends a document again, and after which it looks for another node. */
const PATIENCE_MS = 1_200
const LOOK_AGAIN_MS = 300

type PublicationsOptions = {
  readonly time: Pick<SimulatedTime, 'monotonic' | 'timer'>
  readonly anyNode: () => WorldNode | undefined
  /** Called with the hash of a document that a node has acknowledged. */
  readonly onAcknowledged: (sha256: string) => void
  readonly onFailure: (text: string) => void
}

/** All that was published. Each document is sent until a node acknowledges it. */
export class Publications {
  readonly #options: PublicationsOptions
  readonly #all: Publication[] = []
  /** By hash of the document: when a node last acknowledged it. */
  readonly #acknowledgedAt = new Map<string, number>()
  #isRestated = false

  constructor(options: PublicationsOptions) {
    this.#options = options
  }

  get stated(): readonly StatedDocument[] {
    return this.#all.map(({ stated }) => stated)
  }

  publish(publication: Publication): void {
    this.#all.push(publication)
    this.#send(publication)
  }

  /** Sends a document again that `pick` picks. */
  repeat(pick: (all: readonly Publication[]) => Publication | undefined): void {
    const publication = pick(this.#all)
    if (publication) this.#send(publication)
  }

  /**
   * Whether everything is acknowledged, and what was withdrawn has been stated once more since; states it. A withdrawal that is
   * read before its figure says nothing (docs/decisions/0123-derived-prints-by-date.md), so sources are read again and again.
   */
  hasRestated(): boolean {
    if (this.#isRestated) return true
    if (!this.#all.every(({ stated }) => stated.isAcknowledged)) return false
    this.#isRestated = true
    const withdrawing = this.#all.filter(({ stated }) => stated.figures.some(({ value }) => value === null))
    for (const publication of withdrawing)
      this.publish({ ...publication, stated: { ...publication.stated, isAcknowledged: false } })
    return withdrawing.length === 0
  }

  /** The journal was replaced by a backup: sends again what was acknowledged since. */
  restored(backupAt: number): void {
    this.#isRestated = false
    for (const publication of this.#all) {
      const { stated } = publication
      const wasLost = stated.isAcknowledged && (this.#acknowledgedAt.get(stated.sha256) ?? 0) > backupAt
      if (!wasLost) continue
      stated.isAcknowledged = false
      this.#send(publication)
    }
  }

  /** Sends a document to a node, and again later until one has acknowledged it. */
  #send(publication: Publication): void {
    const { time, anyNode, onAcknowledged, onFailure } = this.#options
    const { document, items, stated } = publication
    const node = anyNode()
    node?.acceptor?.accept(document, items).then(
      () => {
        onAcknowledged(stated.sha256)
        stated.isAcknowledged = true
        this.#acknowledgedAt.set(stated.sha256, time.monotonic())
      },
      (error) => {
        if (!node.isOver && !isPassing(error)) onFailure(`accept threw ${(error as Error).stack ?? error}`)
      },
    )
    if (stated.isAcknowledged) return
    time.timer(node?.acceptor ? PATIENCE_MS : LOOK_AGAIN_MS, () => {
      if (!stated.isAcknowledged) this.#send(publication)
    })
  }
}
