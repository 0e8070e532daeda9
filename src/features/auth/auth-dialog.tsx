import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { AuthView } from '../../state/overlays'
import { Dialog } from '../../ui/dialog'
import { AUTH_TITLES, AuthForms } from './auth-forms'
import { type AuthPlace, AuthPlaceContext } from './auth-place'

interface AuthDialogProps {
  readonly view: AuthView
  readonly onView: (view: AuthView) => void
  readonly onClose: () => void
}

/** All forms for logging in, over the current screen; its views lead to one another. */
export function AuthDialog({ view, onView, onClose }: AuthDialogProps) {
  const place = useMemo((): AuthPlace => ({ kind: 'dialog', show: (target) => onView({ view: target }) }), [onView])
  return (
    <Dialog title={AUTH_TITLES[view.view]} size="sm" onClose={onClose}>
      <AuthPlaceContext value={place}>
        <Focused key={view.view}>
          <AuthForms view={view} onDone={onClose} />
        </Focused>
      </AuthPlaceContext>
    </Dialog>
  )
}

/** The dialog stays while its views change, so each new one has to ask for the focus itself. */
function Focused({ children }: { readonly children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return <div ref={ref}>{children}</div>
}
