import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useAuthPlace } from './auth-place'
import type { AccountMode } from './use-account-form'

const fieldsOf = (form: HTMLFormElement | null) => [
  ...(form?.querySelectorAll<HTMLInputElement>('input[required]') ?? []),
]
const isEmpty = ({ value }: HTMLInputElement): boolean => value === ''

/** Enter in a filled field leads to the next that is empty, as a phone's keyboard offers; after the last it sends the form. */
export function leadOn(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, key, currentTarget } = event
  if (key !== 'Enter' || !(target instanceof HTMLInputElement) || isEmpty(target)) return
  const fields = fieldsOf(currentTarget)
  const next = fields.includes(target) ? fields.slice(fields.indexOf(target)).find(isEmpty) : undefined
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Once the form has changed, the focus goes on to the first field that is still empty, else to the password. */
export function useFocusOnChange(mode: AccountMode, stage: string) {
  const ref = useRef<HTMLFormElement>(null)
  const shown = useRef(`${mode} ${stage}`)
  const isDialog = useAuthPlace().kind === 'dialog'
  useEffect(() => {
    const now = `${mode} ${stage}`
    if (shown.current === now) return
    shown.current = now
    const fields = fieldsOf(ref.current)
    const next = fields.find(isEmpty) ?? fields[1]
    // A page of its own begins at its content, unless the user has begun to type.
    if (isDialog || next !== fields[0]) next?.focus()
  }, [mode, stage, isDialog])
  return ref
}
