import type { Policies } from '../../contract/policies'

export const POLICY_NAMES = {
  terms: 'Terms of Use',
  privacy: 'Privacy Policy',
} as const satisfies Record<keyof Policies, string>
