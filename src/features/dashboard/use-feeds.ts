import { useStore } from 'jotai'
import { useEffect, useRef } from 'react'
import { useServices } from '../../state/services'
import { startFeeds } from './feeds'

/** Runs the feeds while the component is mounted. Returns the function that starts them anew after a failure. */
export function useFeeds(): () => void {
  const services = useServices()
  const store = useStore()
  const end = useRef<() => void>(undefined)
  useEffect(() => {
    end.current = startFeeds(store, services)
    return () => end.current?.()
  }, [store, services])
  return () => {
    end.current?.()
    end.current = startFeeds(store, services)
  }
}
