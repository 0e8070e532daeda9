import { useSetAtom } from 'jotai'
import { useEffect, useId, useState } from 'react'
import { LONGEST_FEEDBACK } from '../../domain/account'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextArea } from '../../ui/field'
import { FormNote } from '../../ui/form-note'
import { SubmitButton } from '../../ui/submit-button'
import { useForm } from '../../ui/use-form'
import styles from './feedback-dialog.module.css'
import { feedbackLength, whatIsWrong } from './feedback-length'
import { useDraft } from './use-draft'

const FAILED = 'Failed to submit feedback. Please try again.'

/** Sends a message to whoever runs the server. What was typed stays until it has been sent, also when the page goes. */
export function FeedbackDialog({ onClose }: { readonly onClose: () => void }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const formId = useId()
  const draft = useDraft()
  const [text, setText] = useState<string>()
  // What is typed before the draft has been read is what counts.
  const message = text ?? draft.stored ?? ''
  const length = feedbackLength(message)
  const { keep } = draft
  useEffect(() => {
    if (text !== undefined) keep(text)
  }, [text, keep])

  const { busy, problems, events } = useForm([], {
    check: () => ({}),
    send: async () => {
      const result = await engine.account({ kind: 'feedback', message: message.trim() })
      if (!result.ok) {
        const reason = result.message === '' ? FAILED : result.message
        showToast({ type: 'error', message: reason })
        return { form: reason }
      }
      keep('')
      showToast({ type: 'success', message: result.message ?? 'Thank you for your feedback.' })
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
    <Dialog
      title="Submit Feedback"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={formId} busy={busy} disabled={wrong !== null}>
            Submit
          </SubmitButton>
        </>
      }
    >
      <form {...events} id={formId} className={styles.form}>
        {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
        <Field label="Your message" hint={note}>
          {(control) => (
            <TextArea
              {...control}
              name="message"
              placeholder="What works, what does not, what is missing?"
              value={message}
              readOnly={busy}
              data-autofocus
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
