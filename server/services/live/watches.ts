import { createHash } from 'node:crypto'
import type { LiveStream, Watch } from './live-stream'

export type Watches = ReturnType<typeof createWatches>

export function createWatches() {
  const byKey = new Map<string, Watch>()
  return {
    all: (): Iterable<Watch> => byKey.values(),
    size: (): number => byKey.size,
    /** The watch of these coins, made at need with what was sent so far. */
    enter: (coins: readonly string[], serial: number, askAt: number): Watch | null => {
      if (coins.length === 0) return null
      const sorted = [...new Set(coins)].toSorted()
      const key = createHash('sha256').update(sorted.join(',')).digest('base64url').slice(0, 16)
      const known = byKey.get(key)
      if (known !== undefined) return known
      const watch = { key, coins: sorted, streams: new Set<LiveStream>(), serial, sentAt: -Infinity, askAt }
      byKey.set(key, watch)
      return watch
    },
    /** Forgets a watch that nobody asks for any more. */
    leave: (watch: Watch): void => {
      if (watch.streams.size === 0 && byKey.get(watch.key) === watch) byKey.delete(watch.key)
    },
  }
}
