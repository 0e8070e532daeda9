import { Badge } from './badge'

/** Which tier somebody is on, in the same words everywhere. */
export const TierBadge = ({ premium }: { readonly premium: boolean }) => (
  <Badge tone={premium ? 'accent' : 'neutral'}>{premium ? 'Premium' : 'Free Tier'}</Badge>
)
