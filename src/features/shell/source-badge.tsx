import { FlaskConical } from 'lucide-react'
import { Badge } from '../../ui/badge'
import { useConfig } from '../../state/server-settings'

/** Made-up prices must never be taken for real ones. */
export function SourceBadge() {
  if (useConfig()?.market_data.source !== 'simulated') return null
  return (
    <Badge tone="warn">
      <FlaskConical aria-hidden="true" />
      Simulated prices
    </Badge>
  )
}
