import { type ReactNode, useId } from 'react'
import { Button } from './button'
import { type Form, FormNote, SubmitButton } from './form'
import { Dialog } from './dialog'
import stack from './stack.module.css'

interface FormDialogProps {
  readonly title: string
  readonly form: Form<never>
  /** Accessible name of the form, where it is a landmark. */
  readonly label?: string
  /** Name of the button that sends the form. */
  readonly action?: string
  readonly tone?: 'primary' | 'danger'
  /** True while the form cannot be sent. */
  readonly disabled?: boolean
  readonly size?: 'sm' | 'md'
  readonly className?: string | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that is one form. "Cancel" takes the focus where no field asks for it. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    form,
    label,
    action = title,
    tone = 'primary',
    disabled,
    size,
    className = stack.gap4,
    onClose,
    children,
  } = props
  const id = useId()
  return (
    <Dialog
      title={title}
      {...(size && { size })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <SubmitButton form={id} busy={form.busy} variant={tone} disabled={disabled}>
            {action}
          </SubmitButton>
        </>
      }
    >
      <form {...form.events} id={id} className={className} aria-label={label}>
        {form.problems.form !== undefined && <FormNote tone="error">{form.problems.form}</FormNote>}
        {children}
      </form>
    </Dialog>
  )
}
