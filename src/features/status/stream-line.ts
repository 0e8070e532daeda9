import type { OwnerId } from '../../domain/ids'
import { isStreamLive, type PollingReason, type StreamState } from '../../db/stream-state'
import { formatAge } from '../../domain/format-time'
import { formatMoment } from '../../domain/local-time'

const WHY: Readonly<Record<PollingReason, string>> = {
  connecting: 'the live stream is being opened',
  reconnecting: 'the live stream broke off and is being opened again',
  hidden: 'the live stream rests while the app is hidden',
  unsupported: 'this server has no live stream',
  'held-back': 'a proxy holds the live stream back',
  failing: 'the live stream cannot be opened',
}

/**
 * How news reach this device, in one line.
 * @param now milliseconds
 */
export function streamLine(stream: StreamState | undefined, owner: OwnerId, now: number): string {
  if (stream === undefined) return 'Polling'
  if (stream.kind === 'polling') return `Polling since ${formatMoment(stream.since, now)}: ${WHY[stream.reason]}`
  // The tab that held the stream was ended without notice, or is of another user.
  if (!isStreamLive(stream, owner, now))
    return `Polling: the live stream was last heard ${formatAge(now - stream.heard_at)}`
  const live = `Live since ${formatMoment(stream.since, now)}, heard ${formatAge(now - stream.heard_at)}`
  return stream.prices ? live : `${live}; prices are polled`
}
