import type { FastifyBaseLogger } from 'fastify'
import { eventText } from './live-stream'
import type { StreamHub } from './open-stream'
import { versionOf } from './position'

/** Tells streams when everybody's settings have changed. */
export function settingsWatch({ ring, versions, wire }: StreamHub, logger: FastifyBaseLogger | undefined) {
  let readSettings: (() => Promise<unknown>) | null = null
  return {
    /** Names what the settings are read from; before, nothing is compared. */
    read: (read: () => Promise<unknown>): void => {
      readSettings = read
    },
    check: async (): Promise<void> => {
      if (readSettings === null) return
      try {
        const version = versionOf(await readSettings())
        if (version === versions.config) return
        versions.config = version
        const body = eventText('config', { version })
        ring.each((stream) => wire.sendBody(stream, 'config', body))
      } catch (error) {
        logger?.warn({ err: error }, 'the settings that streams tell of could not be read')
      }
    },
  }
}
