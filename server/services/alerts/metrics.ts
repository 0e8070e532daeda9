import { Counter, Histogram, type Registry } from 'prom-client'
import { ALERT_SIDES } from '../../../src/domain/alerts'
import type { Crossings } from './fire-alerts'

export interface AlertMetrics {
  /** An update's ratios were judged. */
  evaluated(seconds: number): void
  /** Crossings were recorded. */
  crossed(crossings: Crossings): void
}

export function alertMetrics(registry: Registry): AlertMetrics {
  const duration = new Histogram({
    name: 'alert_evaluation_seconds',
    help: 'Time to judge the ratios of a price update',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const crossings = new Counter({
    name: 'alert_crossings_total',
    help: 'Crossings that fired an alert',
    labelNames: ['side'],
    registers: [registry],
  })
  for (const side of ALERT_SIDES) crossings.inc({ side }, 0)
  return {
    evaluated: (seconds) => duration.observe(seconds),
    crossed: (counted) => {
      for (const side of ALERT_SIDES) crossings.inc({ side }, counted[side])
    },
  }
}
