import { Gauge, type Registry } from 'prom-client'
import type { ServiceDeps } from './service-deps'

/**
 * A figure of /metrics that has to be read. Null, with the cause in the log, where it cannot be, as without the database: an
 * operator wants the other figures then more than ever.
 */
export async function readFigure<T>(
  metric: string,
  reading: PromiseLike<T>,
  logger: ServiceDeps['logger'],
): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    logger?.warn({ err: error, metric }, 'a figure of /metrics is not known')
    return null
  }
}

/**
 * Makes gauges whose figures are read at each scrape. A figure that is not known is NaN; of figures by a label, which values
 * there would be is not known then either, and there are none.
 */
export function figureGauges(registry: Registry, logger: ServiceDeps['logger']) {
  return {
    gauge: (name: string, help: string, figure: () => Promise<number | null>): void => {
      const shown: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect: async (): Promise<void> => shown.set((await readFigure(name, figure(), logger)) ?? NaN),
      })
    },
    /** Gauges by a label whose figures come of one reading: how each is taken from a row of it, by its name and help. */
    gauges: <Row>(
      label: string,
      read: () => Promise<readonly Row[]>,
      labelOf: (row: Row) => string,
      figures: readonly { name: string; help: string; figure: (row: Row) => number | null }[],
    ): void => {
      const readOnce = sharedReading(read)
      for (const { name, help, figure } of figures) {
        const shown: Gauge = new Gauge({
          name,
          help,
          labelNames: [label],
          registers: [registry],
          collect: async (): Promise<void> => {
            const rows = await readFigure(name, readOnce(), logger)
            // A value that was there before may be gone.
            shown.reset()
            for (const row of rows ?? []) {
              const value = figure(row)
              if (value !== null) shown.set({ [label]: labelOf(row) }, value)
            }
          },
        })
      }
    },
  }
}

/** The metrics of a scrape are all asked at once: whoever asks while a reading is under way has its result. */
function sharedReading<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}
