import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { formatRatio } from '../../domain/format-number'
import { classNames } from '../../ui/class-names'
import styles from './figure.module.css'

/** Milliseconds that a value which was set elsewhere stays marked: nobody here expects it. */
const SET_ELSEWHERE_FOR = 2_000

interface SettingValueProps {
  /** How many changes of the widget wait for the server. */
  readonly waiting: number
  /** A threshold or a checkpoint's ratio; null: none, and nothing shows. */
  readonly value: number | null
  readonly className: string | undefined
  readonly hidden?: boolean
}

/**
 * A number that a user sets. It is marked for a moment when it changes while no change of this browser's waits for the
 * server: another device has set it, or the server has not accepted this one's.
 */
export function SettingValue({ waiting, value, className, hidden }: SettingValueProps) {
  const ref = useRef<HTMLSpanElement>(null)
  const shown = useRef(value)
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = value
    const element = ref.current
    if (element === null || before === value || waiting > 0) return undefined
    element.dataset.mark = 'changed'
    const end = () => delete element.dataset.mark
    const timer = setTimeout(end, SET_ELSEWHERE_FOR)
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [waiting, value])
  return (
    value !== null && (
      <span ref={ref} hidden={hidden} className={classNames(styles.setting, className)}>
        {formatRatio(value)}
      </span>
    )
  )
}

/** A button over two lines of a card: the name of a setting, and its value. */
export const SettingBox = ({ className, ...button }: ComponentProps<'button'>) => (
  <button {...button} type="button" className={classNames(styles.settingBox, className)} />
)
