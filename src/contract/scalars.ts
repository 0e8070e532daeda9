import * as z from 'zod/mini'
import { type CheckpointId, COIN_ID_PATTERN, type CoinId, type OpId, type RuleId, type WidgetId } from '../domain/ids'
import { LARGEST_POSITIVE, LEAST_POSITIVE } from '../domain/series'

const branded = <T extends string>(schema: z.ZodMiniType<string>): z.ZodMiniType<T, T> =>
  schema as unknown as z.ZodMiniType<T, T>

export const coinId = branded<CoinId>(z.string().check(z.regex(COIN_ID_PATTERN)))
/** A UUID in capitals is the same one; the database writes lower case. */
const uuid = z.uuid().check(z.toLowerCase())
export const widgetId = branded<WidgetId>(uuid)
export const checkpointId = branded<CheckpointId>(uuid)
export const ruleId = branded<RuleId>(uuid)
export const opId = branded<OpId>(uuid)

/** Unknown ids in lists are ignored, not refused. */
const idInList = z.string().check(z.minLength(1), z.maxLength(64), z.toLowerCase())
export const widgetIdInList = branded<WidgetId>(idInList)
export const checkpointIdInList = branded<CheckpointId>(idInList)

export const count = z.int().check(z.minimum(0))

/** Query of one page of a list. Query strings are text: numbers are read from them. */
export const pageQuery = (pageSize: number, largest: number) => ({
  skip: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(largest)), pageSize),
})

/** A ratio, price or threshold. */
export const positive = z.number().check(z.minimum(LEAST_POSITIVE), z.maximum(LARGEST_POSITIVE))

/** ISO 8601 in UTC, between the first bitcoin and the year 2100 (PostgreSQL and JavaScript agree there). */
export const isoTime = z.iso
  .datetime()
  .check(z.refine((text) => text >= '2009' && text < '2100', { error: 'Must lie between 2009 and 2100.' }))
