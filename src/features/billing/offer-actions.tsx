import { useSetAtom } from 'jotai'
import { ExternalLink } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { type AuthView, authOpenAtom } from '../../state/panels'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { useBillingVisit } from '../../state/use-billing-visit'
import { BusyButton } from '../../ui/busy-button'
import { Button } from '../../ui/button'
import { checkoutProblem } from './checkout-problem'
import type { Offer } from './offer'

interface OfferActionsProps {
  readonly offer: Offer
  readonly onClose: () => void
}

/** For the main thing that can be done. */
type MainRef = RefObject<HTMLButtonElement | null>

/** What can be done about an offer, the main thing last. */
export function OfferActions({ offer, onClose }: OfferActionsProps) {
  const main: MainRef = useRef(null)
  // An offer that changes, such as when Premium arrives meanwhile, takes the button away that had the focus.
  const shown = useRef(offer.kind)
  useEffect(() => {
    if (offer.kind !== shown.current && document.activeElement === document.body) main.current?.focus()
    shown.current = offer.kind
  }, [offer.kind])
  switch (offer.kind) {
    case 'premium':
    case 'not-sold':
      return (
        <Button ref={main} variant="primary" data-autofocus onClick={onClose}>
          OK
        </Button>
      )
    case 'account-first':
      return <AccountFirst main={main} onClose={onClose} />
    case 'checkout':
      return (
        <>
          <Button onClick={onClose}>Not now</Button>
          <CheckoutButton main={main} />
        </>
      )
  }
}

function AccountFirst({ main, onClose }: Pick<OfferActionsProps, 'onClose'> & { readonly main: MainRef }) {
  const openAuth = useSetAtom(authOpenAtom)
  const goTo = (to: AuthView) => () => {
    onClose()
    openAuth(to)
  }
  return (
    <>
      <Button onClick={goTo({ view: 'login' })}>Log In</Button>
      <Button ref={main} variant="primary" data-autofocus onClick={goTo({ view: 'register' })}>
        Create an account
      </Button>
    </>
  )
}

function CheckoutButton({ main }: { readonly main: MainRef }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const { busy, leave } = useBillingVisit('open-checkout', (failure) => {
    showToast({ type: 'error', message: checkoutProblem(failure) })
    // Bought on another device, and not heard of here yet.
    if (failure.error_code === 'ALREADY_SUBSCRIBED') void engine.account({ kind: 'reload-account' })
  })
  return (
    <BusyButton
      ref={main}
      variant="primary"
      data-autofocus
      busy={busy}
      icon={<ExternalLink aria-hidden="true" />}
      onClick={() => void leave()}
    >
      Continue to checkout
    </BusyButton>
  )
}
