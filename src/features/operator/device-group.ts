import type { DeviceFacts } from '../../db/queries/device-facts'
import { withDecimals } from '../../domain/format-number'
import { formatAge } from '../../domain/format-time'
import { formatBytes } from '../../ui/format-bytes'
import type { StorageFacts } from '../../ui/use-storage-facts'
import type { FigureGroup } from './server-groups'

export interface DeviceReading {
  /** Changes that the server has not answered; undefined: not read yet. */
  readonly waiting: number | undefined
  readonly facts: DeviceFacts | undefined
  readonly storage: StorageFacts | undefined
  /** Who runs the engine, in words. */
  readonly engine: string | undefined
  /** Milliseconds. */
  readonly now: number
}

const UNKNOWN = '–'

const bytes = (count: number | null | undefined): string => (count == null ? UNKNOWN : formatBytes(count))

/** What is to be known of this browser, as far as it has said. */
export function deviceGroup({ waiting, facts, storage, engine, now }: DeviceReading): FigureGroup {
  const pulledAt = facts?.pulledAt ?? null
  return {
    title: 'This device',
    main: { name: 'Waiting changes', value: waiting === undefined ? UNKNOWN : withDecimals(waiting, 0) },
    facts: [
      { name: 'Last pull', value: pulledAt === null ? UNKNOWN : formatAge(now - pulledAt) },
      { name: 'Stored', value: bytes(storage?.used) },
      { name: 'Room', value: bytes(storage?.quota) },
      { name: 'Engine', value: engine ?? UNKNOWN },
    ],
  }
}
