import { Counter, Gauge, type Registry } from 'prom-client'
import type { Live } from './live'

/** Shows the streams of this process in /metrics, by the numbers that it counts anyway. */
export function liveMetrics(registry: Registry, live: Live): void {
  const open: Gauge = new Gauge({
    name: 'streams_open',
    help: 'Open streams of this process',
    registers: [registry],
    collect: () => open.set(live.streams()),
  })
  const events = new Counter({
    name: 'stream_events_total',
    help: 'Events sent on streams',
    labelNames: ['event'],
    registers: [registry],
    collect: () => {
      events.reset()
      for (const [event, count] of Object.entries(live.counts.events)) {
        events.inc({ event }, count)
      }
    },
  })
  const dropped = new Counter({
    name: 'streams_dropped_total',
    help: 'Streams that were cut off because their reader was too slow',
    registers: [registry],
    collect: () => {
      dropped.reset()
      dropped.inc(live.counts.dropped)
    },
  })
}
