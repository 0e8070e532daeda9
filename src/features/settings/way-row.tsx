import { KeyRound, Mail, Send, Trash2, Webhook } from 'lucide-react'
import { useId } from 'react'
import type { Channel } from '../../contract/channels'
import { buttonClass, type ButtonProps } from '../../ui/button'
import checkBox from '../../ui/check-box.module.css'
import { classNames } from '../../ui/class-names'
import { BusyButton } from '../../ui/form'
import { ListIcon } from '../../ui/page'
import { isUnconfirmed, kindOfWay, nameOfWay, stateOfWay } from './way-words'
import styles from './way-row.module.css'

export type WayAct = 'on' | 'off' | 'test' | 'rotate' | 'remove'

const ICONS = { email: Mail, webhook: Webhook, telegram: Send } as const

interface WayRowProps {
  readonly way: Channel
  /** Milliseconds. */
  readonly now: number
  /** Opens the chat that the way waits for; null: it waits for none, or the link has ended. */
  readonly link: string | null
  /** The user may change something now. */
  readonly free: boolean
  /** Waits for the server's answer. */
  readonly acting: WayAct | null
  readonly onAct: (act: WayAct) => void
}

/** One way to reach the owner: how it does, and what can be done with it. */
export function WayRow({ way, now, link, free, acting, onAct }: WayRowProps) {
  const id = useId()
  const isChatMissing = way.kind === 'telegram' && way.name === null
  const isToConfirm = !isChatMissing && isUnconfirmed(way)
  const button = (act: WayAct): ButtonProps & { readonly busy: boolean } => ({
    busy: acting === act,
    size: 'sm',
    'aria-describedby': id,
    'aria-disabled': !free || undefined,
    onClick: () => free && onAct(act),
  })
  return (
    <li className={styles.way} aria-labelledby={id}>
      <ListIcon icon={ICONS[way.kind]} className={styles.icon} />
      <p id={id} className={styles.name}>
        {nameOfWay(way)} <span className={styles.kind}>{kindOfWay(way)}</span>
      </p>
      <p className={styles.state} data-state={way.state}>
        {stateOfWay(way, now, link !== null)}
      </p>
      {!isChatMissing && !isToConfirm && (
        <WaySwitch way={way} busy={acting === 'on' || acting === 'off'} free={free} onAct={onAct} />
      )}
      <div className={styles.actions}>
        {link !== null && isChatMissing && (
          <a className={buttonClass({ variant: 'primary', size: 'sm' })} href={link} target="_blank" rel="noreferrer">
            Open Telegram
          </a>
        )}
        {isToConfirm && (
          <BusyButton {...button('on')} variant="primary">
            Use this chat
          </BusyButton>
        )}
        {!isChatMissing && !isToConfirm && (
          <BusyButton {...button('test')} icon={Send}>
            Send a test
          </BusyButton>
        )}
        {way.kind === 'webhook' && (
          <BusyButton {...button('rotate')} icon={KeyRound} aria-haspopup="dialog">
            New secret
          </BusyButton>
        )}
        <BusyButton {...button('remove')} icon={Trash2} aria-haspopup="dialog">
          Remove
        </BusyButton>
      </div>
    </li>
  )
}

interface WaySwitchProps extends Pick<WayRowProps, 'way' | 'free' | 'onAct'> {
  readonly busy: boolean
}

/** Shows what the server has answered, never what was pressed. */
function WaySwitch({ way, busy, free, onAct }: WaySwitchProps) {
  const on = way.state === 'on' || way.state === 'failing'
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={on}
      aria-busy={busy}
      aria-disabled={!free || undefined}
      aria-label={`Alerts by ${nameOfWay(way)}`}
      className={classNames(checkBox.box, styles.switch)}
      checked={on}
      onChange={() => free && onAct(on ? 'off' : 'on')}
    />
  )
}
