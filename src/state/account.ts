import { atom } from 'jotai'
import type { AccountView } from '../db/queries/account'

/** Who uses the app now; undefined while the session is loading. Written only by its feed in src/app. */
export const accountAtom = atom<AccountView | undefined>(undefined)
