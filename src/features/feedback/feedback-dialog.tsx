import { useSetAtom } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import { useLiveQuery } from 'dexie-react-hooks'
import { keepFeedbackDraft, readFeedbackDraft } from '../../db/feedback-draft'
import { feedbackLength, LONGEST_FEEDBACK, whatIsWrong } from '../../domain/account'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Field, TextArea } from '../../ui/field'
import { FormDialog } from '../../ui/form-dialog'
import { useForm } from '../../ui/form'
import styles from './feedback-dialog.module.css'

const FAILED = 'Failed to submit feedback. Please try again.'

/** Sends a message to the people who run the server. The draft is stored until it is sent. */
export function FeedbackDialog({ onClose }: { readonly onClose: () => void }) {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const { db } = commands
  /** Undefined until it has been read. */
  const stored = useLiveQuery(() => readFeedbackDraft(db), [db])
  const keep = useCallback((text: string) => void keepFeedbackDraft(db, text).catch(reportError), [db])
  const [text, setText] = useState<string>()
  // Text typed before the draft has been read takes precedence over the draft.
  const message = text ?? stored ?? ''
  const length = feedbackLength(message)
  useEffect(() => {
    if (text !== undefined) keep(text)
  }, [text, keep])

  const form = useForm([], {
    send: async () => {
      const result = await engine.call('feedback', { message: message.trim() })
      if (!result.ok) {
        const reason = sentenceOf(result, FAILED, result.message)
        showToast({ kind: 'error', message: reason })
        return { form: reason }
      }
      keep('')
      showToast({ kind: 'success', message: result.value.message })
      onClose()
      return null
    },
  })
  const wrong = whatIsWrong(length)
  const note = (
    <span className={styles.note}>
      <span data-over={length > LONGEST_FEEDBACK}>{wrong ?? 'Read by the people who run this server.'}</span>
      <span>
        {length} / {LONGEST_FEEDBACK}
      </span>
    </span>
  )
  return (
    <FormDialog title="Submit Feedback" action="Submit" disabled={wrong !== null} form={form} onClose={onClose}>
      <Field label="Your message" hint={note}>
        {(control) => (
          <TextArea
            {...control}
            name="message"
            placeholder="What works, what does not, what is missing?"
            value={message}
            readOnly={form.busy}
            data-autofocus
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
