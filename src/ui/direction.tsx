import styles from './direction.module.css'

export type DirectionName = 'up' | 'down' | 'flat'

export const directionOf = (value: number): DirectionName => (value > 0 ? 'up' : value < 0 ? 'down' : 'flat')

const SHAPES: Readonly<Record<DirectionName, string>> = {
  up: 'M5 1.5 9 8H1Z',
  down: 'M5 8.5 1 2H9Z',
  flat: 'M1 4H9V6H1Z',
}

/** The class of the colour in which something moves. */
export const toneOf = (direction: DirectionName): string | undefined => styles[direction]

/** An arrow that says in shape what colour and sign say too. */
export function Direction({
  direction,
  faint = false,
}: {
  readonly direction: DirectionName
  readonly faint?: boolean
}) {
  return (
    <svg className={faint ? styles.faint : styles.arrow} viewBox="0 0 10 10" aria-hidden="true">
      <path d={SHAPES[direction]} />
    </svg>
  )
}
