import type { ComponentPropsWithRef } from 'react'
import styles from './badge.module.css'
import { classNames } from './class-names'

export type BadgeTone = 'neutral' | 'accent' | 'up' | 'down' | 'warn' | 'danger'

export function Badge({
  tone = 'neutral',
  className,
  ...rest
}: ComponentPropsWithRef<'span'> & { readonly tone?: BadgeTone }) {
  return <span {...rest} className={classNames(styles.badge, styles[tone], className)} />
}

/** A user's tier, in the same words everywhere. */
export const TierBadge = ({ premium }: { readonly premium: boolean }) => (
  <Badge tone={premium ? 'accent' : 'neutral'}>{premium ? 'Premium' : 'Free Tier'}</Badge>
)
