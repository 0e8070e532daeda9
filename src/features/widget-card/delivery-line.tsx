import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import { hasThreshold } from '../../domain/alerts'
import { type PushState, pushStateAtom } from '../../state/push'
import { LinkButton } from '../../ui/button'

export interface DeliveryText {
  readonly text: string
  /** The sentence ends with the button that switches the pair's alerts on. */
  readonly offersAlerts: boolean
}

const HERE: Readonly<Record<PushState, string>> = {
  on: 'Tells you on this device and in the open app',
  off: 'Tells you here only while the app is open',
  blocked: 'Tells you here only while the app is open',
  unsupported: 'Tells you here only while the app is open',
  'needs-home-screen': 'Tells you here only while the app is open',
}

/**
 * One sentence that is true whatever other devices are told: it speaks of this device, and of the open app, which tells on
 * every device.
 * @param push undefined: not known yet
 */
export function deliveryText(widget: WidgetView, push: PushState | undefined): DeliveryText {
  const isSet = hasThreshold(widget.alerts)
  if (!widget.isActive) return { text: isSet ? 'Set, nobody is told: this pair is inactive' : '', offersAlerts: false }
  if (!widget.notificationsEnabled) return { text: isSet ? 'Set, nobody is told: ' : '', offersAlerts: isSet }
  if (!isSet) return { text: 'Alerts are on, but no threshold is set', offersAlerts: false }
  return { text: push === undefined ? 'Tells you in the open app' : HERE[push], offersAlerts: false }
}

interface ToldLineProps {
  readonly widget: WidgetView
  /** In the handler of the click itself: the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Says who is told of a crossing of this pair, and where. */
export function DeliveryLine({ widget, onSwitchOn }: ToldLineProps) {
  const { text, offersAlerts } = deliveryText(widget, useAtomValue(pushStateAtom))
  return (
    <>
      {text}
      {offersAlerts && (
        <LinkButton
          onClick={({ currentTarget }) => {
            // The button goes with its sentence: the switch, which says what has become of alerts, takes the focus.
            currentTarget.closest('article')?.querySelector<HTMLElement>('[role=switch]')?.focus()
            onSwitchOn()
          }}
        >
          switch alerts on
        </LinkButton>
      )}
    </>
  )
}
