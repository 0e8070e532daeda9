import { useAtomValue } from 'jotai'
import { shownBoardAtom } from '../../state/wishes'

/** How many pairs this device could be told of; nothing while that is not known. */
export function WatchedLine() {
  const widgets = useAtomValue(shownBoardAtom)?.widgets
  if (widgets === undefined) return null
  const watched = widgets.filter((widget) => widget.isActive && widget.notificationsEnabled).length
  return <p>{watched === 0 ? NONE : `${watched === 1 ? '1 pair has' : `${watched} pairs have`} alerts switched on.`}</p>
}

const NONE = 'No pair has alerts switched on yet: use the switch on its card.'
