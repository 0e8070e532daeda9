import type { OwnerId } from '../../domain/ids'
import type { LocalDatabase } from '../database'

/**
 * Notes the id that a thing goes by from now on. Ids that led to the temporary one lead on to the real one: a pair that
 * was sent again after the server had lost it has had two before.
 */
export async function mapId(db: LocalDatabase, owner: OwnerId, temp: string, real: string): Promise<void> {
  const earlier = await db.ids.filter((row) => row.real === temp).toArray()
  await db.ids.bulkPut([...earlier.map((row) => ({ ...row, real })), { temp, real, owner }])
}
