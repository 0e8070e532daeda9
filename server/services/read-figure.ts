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

/** Makes gauges whose figures are read at each scrape: one figure, or one for each value of a label. NaN: not known. */
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
    gauges: (
      name: string,
      help: string,
      label: string,
      figures: () => Promise<readonly (readonly [value: string, figure: number])[]>,
    ): void => {
      const shown: Gauge = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect: async (): Promise<void> => {
          const found = await readFigure(name, figures(), logger)
          // A value that was there before may be gone.
          shown.reset()
          for (const [value, figure] of found ?? []) shown.set({ [label]: value }, figure)
        },
      })
    },
  }
}
