import * as z from 'zod'
import { type CheckpointId, COIN_ID_PATTERN, type CoinId, type OpId, type WidgetId } from '../domain/ids'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from '../domain/series'

const branded = <T extends string>(schema: z.ZodType<string>): z.ZodType<T, T> => schema as unknown as z.ZodType<T, T>

export const coinId = branded<CoinId>(z.string().regex(COIN_ID_PATTERN))
/** A UUID in capitals is the same one; the database writes lower case. */
const uuid = z.uuid().toLowerCase()
export const widgetId = branded<WidgetId>(uuid)
export const checkpointId = branded<CheckpointId>(uuid)
export const opId = branded<OpId>(uuid)

/** Unknown ids in lists are ignored, not refused. */
const idInList = z.string().min(1).max(64).toLowerCase()
export const widgetIdInList = branded<WidgetId>(idInList)
export const checkpointIdInList = branded<CheckpointId>(idInList)

export const count = z.int().min(0)

/** Query of one page of a list. Query strings are text: numbers are read from them. */
export const pageQuery = (pageSize: number, largest: number) => ({
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(largest).default(pageSize),
})

/** A ratio, price or threshold. */
export const positive = z.number().min(LEAST_POSITIVE).max(LARGEST_POSITIVE)

/** ISO 8601 in UTC, between the first bitcoin and the year 2100 (PostgreSQL and JavaScript agree there). */
export const isoTime = z.iso
  .datetime()
  .refine((text) => text >= '2009' && text < '2100', { error: 'Must lie between 2009 and 2100.' })
