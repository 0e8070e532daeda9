import type { Policies } from '../../contract/settings'

export const POLICY_NAMES = {
  terms: 'Terms of Use',
  privacy: 'Privacy Policy',
} as const satisfies Record<keyof Policies, string>
