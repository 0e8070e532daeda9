import { useAtomValue } from 'jotai'
import { watchedPairsAtom } from '../../state/watched-pairs'

/** How many pairs this device could be told of; nothing while that is not known. */
export function WatchedLine() {
  const watched = useAtomValue(watchedPairsAtom)
  if (watched === undefined) return null
  return <p>{watched === 0 ? NONE : `${watched === 1 ? '1 pair has' : `${watched} pairs have`} alerts switched on.`}</p>
}

const NONE = 'No pair has alerts switched on yet: use the switch on its card.'
