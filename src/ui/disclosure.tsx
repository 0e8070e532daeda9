import { ChevronDown } from 'lucide-react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Button } from './button'
import styles from './disclosure.module.css'

interface DisclosureProps {
  readonly word: string
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  /** Id of `region`, which the button shows and hides. */
  readonly controls: string
  readonly region: RefObject<HTMLElement | null>
}

/** Shows and hides what few users need, and brings it into view. */
export const Disclosure = ({ word, isOpen, onOpen, controls, region }: DisclosureProps) => (
  <Button
    size="sm"
    variant="ghost"
    icon={ChevronDown}
    className={styles.disclosure}
    aria-expanded={isOpen}
    aria-controls={controls}
    onClick={() => {
      flushSync(() => onOpen(!isOpen))
      if (!isOpen) region.current?.scrollIntoView({ block: 'nearest' })
    }}
  >
    {word}
  </Button>
)
