import type { StatsFs } from 'node:fs'

export type DiskState = 'ok' | 'low' | 'full'
type Room = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>

/** The least of a number of bytes and a share of the whole: small disks are small on purpose. */
const LOW = { bytes: 1_000_000_000, share: 0.1 }
/** Below this, writes fail: a commit of the journal takes some MB, a block of the read models more. */
const FULL = { bytes: 64_000_000, share: 0.03 }

export const freeBytes = ({ bavail, bsize }: Room): number => bavail * bsize

/** `low`: an operator should make room now. `full`: writes fail, or are about to. */
export function diskState(room: Room): DiskState {
  const free = freeBytes(room)
  const below = ({ bytes, share }: typeof LOW) => free < Math.min(bytes, room.blocks * room.bsize * share)
  return below(FULL) ? 'full' : below(LOW) ? 'low' : 'ok'
}
