import { useAtomValue } from 'jotai'
import { BellOff, BellRing, CirclePause } from 'lucide-react'
import { useEffect } from 'react'
import { pauseSentence } from '../../domain/quiet-hours-words'
import { boardAtom, nowAtom } from '../../state/live-data'
import { canNotifyAtom } from '../../state/push'
import { pauseAtom, useHoldAlerts, useNotePause } from '../../state/alert-hold'
import { useExtremes } from '../../state/use-extremes'
import { usePushSwitch } from '../../state/use-push-switch'
import { isNotNotifiedAtom, watchedPairsAtom } from '../../state/watched-pairs'
import { LinkButton } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { BoardLine } from './board-line'
import styles from './device-line.module.css'

/** Names this visit among those of an owner on this device. */
const VISIT = Math.round(performance.timeOrigin)

/** Says whether this device is told of the alerts of pairs, and that all alerts are paused. */
export function DeviceLine() {
  const isNotNotified = useAtomValue(isNotNotifiedAtom)
  const pause = useAtomValue(pauseAtom)
  return pause === null ? isNotNotified && <NotificationsLine /> : <PauseLine until={pause} />
}

function PauseLine({ until }: { readonly until: number }) {
  const { hold } = useHoldAlerts()
  return (
    <BoardLine icon={CirclePause} text={pauseSentence(until, useAtomValue(nowAtom))} className={styles.line}>
      <LinkButton onClick={() => void hold({ paused_until: null })}>
        Resume<VisuallyHidden> alerts</VisuallyHidden>
      </LinkButton>
    </BoardLine>
  )
}

/**
 * Offers the alerts that need no threshold, once: on the first visit after the one on which the first pair was added. Stands
 * behind the pairs, as it is known after they are shown, and would move them.
 */
export function ExtremesOffer() {
  const { own, offer, switchTo, answer } = useExtremes()
  const hasPairs = useAtomValue(boardAtom)?.widgets.some(({ isActive }) => isActive) === true
  const watched = useAtomValue(watchedPairsAtom)
  const canNotify = useAtomValue(canNotifyAtom)
  const isFirst = hasPairs && offer === null
  useNotePause(own)
  useEffect(() => {
    if (isFirst) answer(VISIT)
    // The function is another one at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isFirst])
  const isOffered = own?.extremes === false && hasPairs && typeof offer === 'number' && offer !== VISIT
  if (!isOffered) {
    if (own?.extremes !== true || watched !== 0 || !canNotify) return null
    return <NotificationsLine className={styles.behind} />
  }
  return (
    <BoardLine icon={BellRing} text="Be told of any pair’s extremes" className={classNames(styles.line, styles.behind)}>
      <LinkButton onClick={() => switchTo(true)}>
        Tell me<VisuallyHidden> when any pair is at an extreme</VisuallyHidden>
      </LinkButton>
      <LinkButton className={styles.decline} onClick={() => answer('answered')}>
        Not now
      </LinkButton>
    </BoardLine>
  )
}

/**
 * Alerts belong to a person, push to a device: where some are on and this device could be told of them but is not, that
 * is said, until the user has answered either way.
 */
function NotificationsLine({ className }: { readonly className?: string | undefined }) {
  const { busy, press } = usePushSwitch()
  return (
    <BoardLine icon={BellOff} text="Notifications are off here" className={classNames(styles.line, className)}>
      <LinkButton aria-disabled={busy} onClick={() => void press('enable')}>
        Enable<VisuallyHidden> on this device</VisuallyHidden>
      </LinkButton>
      <LinkButton className={styles.decline} aria-disabled={busy} onClick={() => void press('disable')}>
        Not here
      </LinkButton>
    </BoardLine>
  )
}
