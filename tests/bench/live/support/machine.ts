import { loadavg } from 'node:os'

/** The load average of the last minute: what is measured under load of others is a lower bound. */
export const loadAverage = (): string => `load average ${(loadavg()[0] ?? NaN).toFixed(1)}`
