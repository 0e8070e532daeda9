import { useSetAtom } from 'jotai'
import { MessageSquare } from 'lucide-react'
import { feedbackOpenAtom } from '../../state/panels'

interface FeedbackButtonProps {
  readonly className: string | undefined
  readonly onOpen?: (() => void) | undefined
}

export function FeedbackButton({ className, onOpen }: FeedbackButtonProps) {
  const open = useSetAtom(feedbackOpenAtom)
  const ask = () => {
    onOpen?.()
    open(true)
  }
  return (
    <button type="button" className={className} onClick={ask}>
      <MessageSquare aria-hidden="true" />
      Feedback
    </button>
  )
}
