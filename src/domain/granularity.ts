export const GRANULARITIES = ['fiveMinutely', 'thirtyMinutely', 'hourly', 'daily'] as const
/** Levels of price history, finest first. */
export type Granularity = (typeof GRANULARITIES)[number]

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Width of a level's buckets in milliseconds. */
export const BUCKET_MS: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 5 * MINUTE,
  thirtyMinutely: 30 * MINUTE,
  hourly: HOUR,
  daily: DAY,
}

/** How far back each level is kept, on the server and in the browser, milliseconds. */
export const LEVEL_SPAN: Readonly<Record<Granularity, number>> = {
  fiveMinutely: 3 * DAY,
  thirtyMinutely: 40 * DAY,
  hourly: 120 * DAY,
  daily: 3 * 365 * DAY,
}

/** In buckets: no line joins neighbours that are further apart. */
export const WIDEST_GAP = 3

/** The levels that are coarser than `granularity`, nearest first. */
export const coarserThan = (granularity: Granularity): readonly Granularity[] =>
  GRANULARITIES.slice(GRANULARITIES.indexOf(granularity) + 1)

/** The levels that are finer than `granularity`, finest first. */
export const finerThan = (granularity: Granularity): readonly Granularity[] =>
  GRANULARITIES.slice(0, GRANULARITIES.indexOf(granularity))
