import { act } from '@testing-library/react'
import type { Window as HappyWindow } from 'happy-dom'

/** Makes the window as wide and high as that, in pixels, and lets media queries know. */
export function setWidth(width: number, height = 800): void {
  act(() => (window as unknown as HappyWindow).happyDOM.setViewport({ width, height }))
}
