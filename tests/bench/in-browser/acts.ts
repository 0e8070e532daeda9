/** The bench's acts on a chart, in this order. */
export const ACTS = ['open', 'switch', 'point', 'zoom'] as const
export type Act = (typeof ACTS)[number]

/** Cheap acts are done several times in one measurement, each until it is drawn. */
export const REPEATS: Readonly<Record<Act, number>> = { open: 1, switch: 1, point: 4, zoom: 3 }
