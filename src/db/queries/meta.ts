import type { LocalDatabase } from '../database'
import type { MetaKey, MetaRow, MetaRows } from '../rows'

export async function readMeta<K extends MetaKey>(db: LocalDatabase, key: K): Promise<MetaRows[K] | undefined> {
  const row = (await db.meta.get(key)) as MetaRow<K> | undefined
  return row?.value
}

export async function writeMeta<K extends MetaKey>(db: LocalDatabase, key: K, value: MetaRows[K]): Promise<void> {
  await db.meta.put({ key, value })
}
