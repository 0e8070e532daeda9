import type { Overview } from '../../../../src/contract/admin'
import type { Database } from '../../../db/open'
import type { Env } from '../../../env'
import { lastBackupAt } from '../../storage/last-backup'
import { diskFigures, storageFigures } from '../../storage/storage-figures'

/** How much room there is, and how old the last backup is, as far as this process can see. */
export async function readStorage(
  { orm, engine }: Database,
  env: Pick<Env, 'DATA_DIR' | 'BACKUP_SCHEDULE'>,
): Promise<NonNullable<Overview['storage']>> {
  const storage = await storageFigures(orm)
  const disk = await diskFigures(env.DATA_DIR)
  const backupAt = lastBackupAt(env.DATA_DIR)
  return {
    engine,
    database_bytes: storage.database,
    log_bytes: storage.log,
    disk_bytes: disk?.size ?? null,
    disk_free_bytes: disk?.free ?? null,
    last_backup_at: backupAt === null ? null : new Date(backupAt).toISOString(),
    backup_every_seconds: env.BACKUP_SCHEDULE === undefined ? null : env.BACKUP_SCHEDULE.every / 1000,
  }
}
