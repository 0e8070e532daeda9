import { useSetAtom } from 'jotai'
import type { Channel } from '../../contract/channels'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import type { WayAct } from './way-row'
import { testOutcome } from './way-words'

/** The user does at most one thing on the card at a time. */
export type WayStep =
  | { readonly kind: 'adding' }
  | { readonly kind: 'confirming'; readonly way: Channel }
  | { readonly kind: 'acting'; readonly id: string; readonly act: WayAct }
  | { readonly kind: 'told'; readonly secret: string }

const FAILED: Readonly<Record<WayAct, string>> = {
  on: 'It could not be switched on.',
  off: 'It could not be switched off.',
  test: 'No test was sent.',
  rotate: 'There is no new secret.',
  remove: 'It could not be removed.',
}

/** Changes at the server; the list is asked for anew, since it alone says what came of them. */
export function useWayActs(setStep: (step: WayStep | null) => void, again: () => void) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const send = (act: WayAct, id: string) => {
    switch (act) {
      case 'on':
      case 'off':
        return engine.call('updateChannel', { id, state: act })
      case 'test':
        return engine.call('testChannel', { id })
      case 'rotate':
        return engine.call('rotateSecret', { id })
      case 'remove':
        return engine.call('deleteChannel', { id })
    }
  }
  return async (act: WayAct, way: Channel): Promise<void> => {
    setStep({ kind: 'acting', id: way.id, act })
    const reply = await send(act, way.id)
    again()
    const secret = reply.ok ? reply.value?.secret : undefined
    setStep(secret === undefined ? null : { kind: 'told', secret })
    if (!reply.ok) showToast({ kind: 'error', message: `${FAILED[act]} ${sentenceOf(reply, 'Please try again.')}` })
    else if (act === 'test' && reply.value !== null) showToast(testOutcome(reply.value))
  }
}
