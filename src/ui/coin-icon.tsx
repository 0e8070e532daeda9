import { useState } from 'react'
import { classNames } from './class-names'
import styles from './coin-icon.module.css'

interface CoinIconProps {
  /** Address of the picture; null where the coin has none. */
  readonly image: string | null
  readonly className?: string | undefined
}

/** A coin's picture, or "N/A" without one or if the picture cannot be loaded. The coin's name always stands beside it. */
export function CoinIcon({ image, className }: CoinIconProps) {
  const [broken, setBroken] = useState<string | null>(null)
  if (image === null || image === broken) {
    return (
      <span className={classNames(styles.icon, styles.missing, className)} aria-hidden="true">
        N/A
      </span>
    )
  }
  return (
    <img
      className={classNames(styles.icon, className)}
      src={image}
      alt=""
      width={24}
      height={24}
      decoding="async"
      draggable={false}
      onError={() => setBroken(image)}
    />
  )
}
