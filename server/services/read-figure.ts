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
