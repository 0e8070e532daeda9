/** temp id → server id, as the table `ids` holds it. */
export type KnownIds = ReadonlyMap<string, string>

/** The id a thing goes by now: "the same widget" always means the same id after this. */
export const canonical = <T extends string>(known: KnownIds, id: T): T => (known.get(id) ?? id) as T
