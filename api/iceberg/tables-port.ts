import type { Identity } from '../../access/identity.ts'
import type { Snapshot, SnapshotName } from '../../archive/iceberg/snapshot.ts'
import type { TableTopic } from '../../archive/iceberg/tables.ts'
import type { ByteRange } from '../../archive/objects.ts'
import type { Plan } from '../../contracts/resources.ts'

/** The archive's tables, as the api serves them. */
export type Tables = {
  /** Whether the operator lets a key of this plan and account read the tables, which hold every record of their topics. */
  readonly mayRead: (key: Identity & { readonly plan: Plan }) => boolean
  /** Key of the signatures of file addresses. */
  readonly secret: Uint8Array
  readonly current: (topic: TableTopic) => Promise<Snapshot>
  readonly named: (topic: TableTopic, name: SnapshotName) => Promise<Snapshot | undefined>
  /** Metadata that the role `archive` has written for readers with access to the archive; undefined if there is none. */
  readonly published: (
    topic: TableTopic,
  ) => Promise<{ readonly location: string; readonly bytes: Uint8Array } | undefined>
  /** Size and bytes of a data file. */
  readonly size: (name: string) => Promise<number | undefined>
  readonly read: (name: string, range: ByteRange) => Promise<Uint8Array | undefined>
}
