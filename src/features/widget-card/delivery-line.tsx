import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import { pushStateAtom } from '../../state/push'
import { LinkButton } from '../../ui/button'
import { deliveryText } from '../../domain/alert-words'
interface DeliveryLineProps {
  readonly widget: WidgetView
  /** In the handler of the click itself: the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Says where the user hears of the pair's crossings. */
export function DeliveryLine({ widget, onSwitchOn }: DeliveryLineProps) {
  const push = useAtomValue(pushStateAtom)
  const { text, offersAlerts } = deliveryText(widget, push === undefined ? undefined : push === 'on')
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
