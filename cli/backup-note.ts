import { join, resolve } from 'node:path'
import { Type, Value } from '#typebox'
import type { BackupState } from '../api/admin/overview/facts.ts'
import { readIfThere, replaceFile } from '../base/whole-file.ts'
import type { Config } from '../infra/config.ts'

/** The note of the data directory about backups of its journal, for operators. A backup needs none. */
const Note = Type.Object({
  journal: Type.String(),
  finished: Type.Union([Type.Object({ takenAt: Type.Integer(), place: Type.String() }), Type.Null()]),
  begunAt: Type.Union([Type.Integer(), Type.Null()]),
})

const none: BackupState = { finished: null, begunAt: null }

const noteFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'last-backup.json')

/** Reads the note about backups of a journal. One of another journal, or one that cannot be read, says nothing. */
export async function readBackupNote(config: Pick<Config, 'dataDir'>, journal: string): Promise<BackupState> {
  try {
    const value: unknown = JSON.parse(String(await readIfThere(noteFile(config))))
    if (!Value.Check(Note, value) || value.journal !== journal) return none
    const { finished, begunAt } = value
    return { finished, begunAt }
  } catch {
    return none
  }
}

/** Notes that a backup began, and returns what notes that it is whole. Both reject if the note cannot be written. */
export async function noteBackup(
  config: Pick<Config, 'dataDir'>,
  journal: string,
  place: string,
  begunAt: number,
): Promise<(takenAt: number) => Promise<void>> {
  const { finished } = await readBackupNote(config, journal)
  const write = (state: BackupState) => replaceFile(noteFile(config), JSON.stringify({ journal, ...state }))
  await write({ finished, begunAt })
  const where = place.startsWith('s3://') ? place : resolve(place)
  return (takenAt) => write({ finished: { takenAt, place: where }, begunAt: null })
}
