import { useAtomValue } from 'jotai'
import type { DeviceFacts } from '../../db/queries/device-facts'
import { boardAtom, nowAtom } from '../../state/live-data'
import { useStorageFacts } from '../../ui/use-storage-facts'
import { useWorkerLine } from '../../ui/use-worker-line'
import { deviceGroup } from './device-group'
import { FigureCard } from './figure-card'

/** What is to be known of this browser. */
export function DeviceCard({ facts }: { readonly facts: DeviceFacts | undefined }) {
  const group = deviceGroup({
    waiting: useAtomValue(boardAtom)?.changes.filter(({ state }) => state !== 'failed').length,
    facts,
    storage: useStorageFacts(),
    engine: useWorkerLine(),
    now: useAtomValue(nowAtom),
  })
  return <FigureCard group={group} />
}
