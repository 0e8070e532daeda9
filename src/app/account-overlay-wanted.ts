import { atom } from 'jotai'
import { accountAtom } from '../state/account'
import {
  authOpenAtom,
  confirmOpenAtom,
  feedbackOpenAtom,
  homeScreenOpenAtom,
  logOutOpenAtom,
  policyOpenAtom,
  upgradeOpenAtom,
} from '../state/panels'

/** Whether any of the dialogs about accounts and devices is wanted: until then nothing of their code is loaded. */
export const accountOverlayAtom = atom(
  (get) =>
    get(authOpenAtom) !== null ||
    get(confirmOpenAtom) !== null ||
    get(policyOpenAtom) !== null ||
    get(upgradeOpenAtom) ||
    get(feedbackOpenAtom) ||
    get(logOutOpenAtom) ||
    get(homeScreenOpenAtom) ||
    get(accountAtom)?.expired === true,
)

/** For when their code cannot be had. A session that has expired stays so, and is asked about after the next start. */
export const closeAccountOverlaysAtom = atom(null, (get, set) => {
  get(confirmOpenAtom)?.onAnswer(false)
  set(confirmOpenAtom, null)
  set(authOpenAtom, null)
  set(policyOpenAtom, null)
  set(upgradeOpenAtom, false)
  set(feedbackOpenAtom, false)
  set(logOutOpenAtom, false)
  set(homeScreenOpenAtom, false)
})
