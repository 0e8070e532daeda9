import { CirclePause, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from './button'
import { Menu } from './menu'

interface HeldRowProps {
  readonly className: string | undefined
  /** Says until when it is held, or what that means. */
  readonly text: string
  /** Of the button that holds, and of its menu. */
  readonly label: string
  readonly isHeld: boolean
  readonly choices: readonly { readonly label: string; readonly onChoose: () => void }[]
  readonly onResume: () => void
}

/** Something that can be stopped for one of several times, and resumed. The text and the button are two items of a row. */
export function HeldRow({ className, text, label, isHeld, choices, onResume }: HeldRowProps) {
  const [choosing, setChoosing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <p className={className} role="status">
        {text}
      </p>
      {/* One button, so that the focus stays on it. */}
      <Button
        ref={button}
        icon={isHeld ? Play : CirclePause}
        {...(!isHeld && { 'aria-haspopup': 'menu', 'aria-expanded': choosing })}
        onClick={() => (isHeld ? onResume() : setChoosing(!choosing))}
      >
        {isHeld ? 'Resume' : label}
      </Button>
      {choosing && <Menu label={label} handle={button} items={choices} onClose={() => setChoosing(false)} />}
    </>
  )
}
