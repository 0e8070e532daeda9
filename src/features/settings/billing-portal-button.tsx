import { useSetAtom } from 'jotai'
import { ExternalLink } from 'lucide-react'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Tooltip } from '../../ui/tooltip'

const WHY = 'This server does not sell Premium, so there is nothing to bill.'

/** Leads to the payment provider's pages. Without a provider it can be focused but not used, and says why. */
export function BillingPortalButton() {
  const showToast = useSetAtom(showToastAtom)
  const refuse = () => showToast({ type: 'error', message: `Could not open the billing portal. ${WHY}` })
  return (
    <Tooltip text={WHY} align="end">
      {(describedBy) => (
        <Button
          icon={<ExternalLink aria-hidden="true" />}
          aria-disabled="true"
          aria-describedby={describedBy}
          onClick={refuse}
        >
          Open Billing Portal
        </Button>
      )}
    </Tooltip>
  )
}
