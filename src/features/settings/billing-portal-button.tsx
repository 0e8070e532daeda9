import { useSetAtom } from 'jotai'
import { ExternalLink } from 'lucide-react'
import { reasonOf } from '../../state/refusal'
import { showToastAtom } from '../../state/toasts'
import { useBillingVisit } from '../../state/use-billing-visit'
import { useConfig } from '../../state/use-config'
import { BusyButton } from '../../ui/busy-button'
import { Button } from '../../ui/button'
import { Tooltip } from '../../ui/tooltip'

const NOT_SOLD_HERE = 'This server does not sell Premium, so there is nothing to bill.'
const NAME = 'Open Billing Portal'
const icon = <ExternalLink aria-hidden="true" />

/** Leads to the payment provider's pages. Without a provider it can be focused but not used, and says why. */
export function BillingPortalButton() {
  const showToast = useSetAtom(showToastAtom)
  const refuse = (reason: string) =>
    showToast({ type: 'error', message: `Could not open the billing portal. ${reason}`.trim() })
  const { busy, leave } = useBillingVisit('open-portal', (failure) => refuse(reasonOf(failure, '')))

  if (useConfig()?.billing.available === false) {
    return (
      <Tooltip text={NOT_SOLD_HERE} align="end">
        {(describedBy) => (
          <Button icon={icon} aria-disabled="true" aria-describedby={describedBy} onClick={() => refuse(NOT_SOLD_HERE)}>
            {NAME}
          </Button>
        )}
      </Tooltip>
    )
  }
  return (
    <BusyButton icon={icon} busy={busy} onClick={() => void leave()}>
      {NAME}
    </BusyButton>
  )
}
