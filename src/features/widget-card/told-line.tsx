import { useAtomValue } from 'jotai'
import type { WidgetView } from '../../db/view'
import { pushStateAtom } from '../../state/push'
import { LinkButton } from '../../ui/link-button'
import { toldWords } from './told-words'

interface ToldLineProps {
  readonly widget: WidgetView
  /** In the handler of the click itself: the browser may have to ask for permission. */
  readonly onSwitchOn: () => void
}

/** Says who is told of a crossing of this pair, and where. */
export function ToldLine({ widget, onSwitchOn }: ToldLineProps) {
  const { text, offersAlerts } = toldWords(widget, useAtomValue(pushStateAtom))
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
