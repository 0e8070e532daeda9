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

/** Who is told of a crossing of this pair, and where. */
export function ToldLine({ widget, onSwitchOn }: ToldLineProps) {
  const { text, offersAlerts } = toldWords(widget, useAtomValue(pushStateAtom))
  return (
    <>
      {text}
      {offersAlerts && <LinkButton onClick={onSwitchOn}>switch alerts on</LinkButton>}
    </>
  )
}
