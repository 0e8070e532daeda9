import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../db/open'
import type { Env } from '../../env'
import { lastBackupAt } from './last-backup'
import { diskFigures, storageFigures } from './storage-figures'

/** An unknown figure is NaN, as without the database: an operator wants the other figures then more than ever. */
const unknown = () => null

export function storageMetrics(
  registry: Registry,
  { orm }: Pick<Database, 'orm'>,
  { DATA_DIR }: Pick<Env, 'DATA_DIR'>,
): void {
  const bytes = new Gauge({
    name: 'storage_bytes',
    help: 'Sizes of the database and its log, and of the disk that holds DATA_DIR',
    labelNames: ['of'],
    registers: [registry],
    collect: async () => {
      const [storage, disk] = await Promise.all([
        storageFigures(orm).catch(unknown),
        diskFigures(DATA_DIR).catch(unknown),
      ])
      bytes.set({ of: 'database' }, storage?.database ?? NaN)
      bytes.set({ of: 'log' }, storage?.log ?? NaN)
      bytes.set({ of: 'disk' }, disk?.size ?? NaN)
      bytes.set({ of: 'disk_free' }, disk?.free ?? NaN)
    },
  })
  const backup = new Gauge({
    name: 'backup_last_finished_timestamp_seconds',
    help: 'When the last backup was complete; NaN: none is known of',
    registers: [registry],
    collect: () => {
      const at = lastBackupAt(DATA_DIR)
      backup.set(at === null ? NaN : at / 1000)
    },
  })
}
