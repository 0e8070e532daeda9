import type { InactiveReason } from './tier-limits'

const pairs = (count: number) => (count === 1 ? '1 pair' : `${count} pairs`)

interface InactiveFacts {
  readonly code: InactiveReason
  /** How many pairs are active. */
  readonly active: number
  /** How many pairs Premium tracks; undefined: not known. */
  readonly premium: number | undefined
}

/** Why the pairs are inactive, and how the user brings one back. */
export function inactiveWords({ code, active, premium }: InactiveFacts): string {
  switch (code) {
    case 'NOT_YET_ACTIVE':
      return 'These pairs are inactive for now. The next update tracks them again, or says why.'
    case 'MAX_LIMIT_NEXT_UP':
    case 'MAX_LIMIT_QUEUED':
      return `Your tier tracks ${pairs(active)}. The first of these becomes active when you remove an active pair. Or make one active in place of another.`
    case 'TIER_LIMIT': {
      const more = premium === undefined || premium <= active ? 'more' : `up to ${premium}`
      return `Your tier tracks ${pairs(active)}. These keep their settings: make one active in place of another, or upgrade to track ${more}.`
    }
  }
}
