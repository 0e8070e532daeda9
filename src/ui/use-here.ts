import { type RefObject, useEffect, useRef } from 'react'

/** Whether what asked for something is still there when the answer comes. */
export function useHere(): RefObject<boolean> {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return here
}
