import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import { hasThreshold } from '../../domain/alerts'
import { type PushState, pushStateAtom } from '../../state/push'
import { LinkButton } from '../../ui/button'

/**
 * One sentence that is true whichever other devices announce the pair's alerts: about this device, and about the open app,
 * which announces on every device. With `offersAlerts` it ends with the button that switches the pair's alerts on.
 * @param push undefined: not known yet
 */
export function deliveryText(widget: WidgetView, push: PushState | undefined) {
  const isSet = hasThreshold(widget.alerts)
  if (!widget.isActive) return { text: isSet ? 'Set, nobody is told: this pair is inactive' : '', offersAlerts: false }
  if (!widget.notificationsEnabled) return { text: isSet ? 'Set, nobody is told: ' : '', offersAlerts: isSet }
  if (!isSet) return { text: 'Alerts are on, but no threshold is set', offersAlerts: false }
  if (push === undefined) return { text: 'Tells you in the open app', offersAlerts: false }
  const place = push === 'on' ? 'on this device and in the open app' : 'here only while the app is open'
  return { text: `Tells you ${place}`, offersAlerts: false }
}

interface DeliveryLineProps {
  readonly widget: WidgetView
  /** In the handler of the click itself: the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Says where the user hears of the pair's crossings. */
export function DeliveryLine({ widget, onSwitchOn }: DeliveryLineProps) {
  const { text, offersAlerts } = deliveryText(widget, useAtomValue(pushStateAtom))
  return (
    <>
      {text}
      {offersAlerts && (
        <LinkButton
          onClick={({ currentTarget }) => {
            // The button goes with its sentence: the switch takes the focus, and says whether alerts are on.
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
