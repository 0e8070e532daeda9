import { useLiveQuery } from 'dexie-react-hooks'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import type { AlertSettings, AlertSettingsBody } from '../contract/alerts'
import { readOwnAlerts } from '../db/own-alerts'
import { isPaused } from '../domain/quiet-hours'
import { nowAtom } from './live-data'
import { useAlertFeature } from './server-settings'
import { useServices } from './services'
import { loadCommands, useCommand } from './use-command'

/** `paused_until` of the owner, milliseconds; null: alerts are not paused. */
const notedPauseAtom = atom<number | null>(null)

/** Until when all alerts are paused, milliseconds; null: they are not. */
export const pauseAtom = atom((get) => {
  const until = get(notedPauseAtom)
  return until !== null && until > get(nowAtom) ? until : null
})

/** Keeps `pauseAtom` up to date by settings that are read anyhow: the board asks for them once. */
export function useNotePause(settings: Pick<AlertSettings, 'paused_until'> | undefined): void {
  const note = useSetAtom(notedPauseAtom)
  const until = settings?.paused_until == null ? null : Date.parse(settings.paused_until)
  useEffect(() => note(until), [note, until])
}

export function useHoldAlerts() {
  const run = useCommand()
  return {
    hold: (change: Pick<AlertSettingsBody, 'quiet_hours' | 'paused_until'>): Promise<unknown> =>
      run(async (context) => (await loadCommands()).saveAlertHold(context, change)),
  }
}

/** Quiet hours and pause of the owner; undefined: not known, or the server has none. */
export function useAlertHold() {
  const { db } = useServices().commands
  const own = useLiveQuery(() => readOwnAlerts(db), [db])
  const now = useAtomValue(nowAtom)
  if (!useAlertFeature('quiet') || own?.isPulled !== true) return undefined
  const { quiet_hours = null, paused_until = null } = own
  return { quietHours: quiet_hours, pausedUntil: isPaused(own, now) ? Date.parse(paused_until!) : null }
}
