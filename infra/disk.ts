import type { StatsFs } from 'node:fs'

export type DiskState = 'ok' | 'low' | 'full'
type Room = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>

/** Less free space than the lesser of these bytes and this share of the disk is `low`. The share suits small disks. */
const LOW = { bytes: 1_000_000_000, share: 0.1 }
/** Below this, writes are about to fail: a commit of the journal takes some MB, a block of the read models more. */
const FULL = { bytes: 64_000_000, share: 0.03 }

export const freeBytes = ({ bavail, bsize }: Room): number => bavail * bsize

/** Judges the free space. `low`: an operator should free some now. `full`: writes fail, or are about to. */
export function diskState(room: Room): DiskState {
  const free = freeBytes(room)
  const below = ({ bytes, share }: typeof LOW) => free < Math.min(bytes, room.blocks * room.bsize * share)
  return below(FULL) ? 'full' : below(LOW) ? 'low' : 'ok'
}
