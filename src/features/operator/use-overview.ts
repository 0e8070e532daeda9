import { useEffect, useRef } from 'react'
import type { Overview } from '../../contract/admin'
import { useServices } from '../../state/services'
import { type Asked, useAnswer } from '../../state/use-answer'
import { useOnline } from '../../ui/use-online'
import { usePageVisible } from '../../ui/use-page-visible'

/** Milliseconds after which figures that somebody looks at are asked for again. */
export const REFRESH = 30_000

/** The server's figures, kept fresh while somebody can see them; the second of the pair asks for them now. */
export function useOverview(): readonly [Asked<Overview>, () => void] {
  const { commands } = useServices()
  const [asked, again] = useAnswer({ kind: 'overview' })
  const visible = usePageVisible()
  const online = useOnline()
  const looking = visible && online
  const at = asked.kind === 'known' ? asked.at : undefined
  const isOld = useRef((): boolean => false)
  useEffect(() => {
    isOld.current = () => at !== undefined && commands.now() - at >= REFRESH
  })

  useEffect(() => {
    if (!looking) return undefined
    if (isOld.current()) again()
    const timer = setInterval(again, REFRESH)
    return () => clearInterval(timer)
  }, [looking, again])
  return [asked, again]
}
