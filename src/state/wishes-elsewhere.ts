import { atom, type createStore } from 'jotai'
import type { OwnerId } from '../domain/ids'
import type { Wish } from './wishes'

type Store = ReturnType<typeof createStore>

/** What one tab tells the others of a wish; null: it has ended. */
interface Message {
  readonly id: string
  readonly owner: OwnerId
  readonly wish: Wish | null
}

/** With the version of what is said: tabs of two builds may be open at once. */
const CHANNEL = 'wishes@1'
/** Milliseconds after which a tab that has not said how its wish ended is no longer believed: it may be gone. */
const FORGOTTEN_AFTER = 5_000

/** Wishes of other tabs, by their ids: they stand here before the local database can tell of them. */
export const wishesElsewhereAtom = atom<ReadonlyMap<string, Message>>(new Map())

let channel: BroadcastChannel | undefined
const open = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL))

/** Shows a wish in the other tabs too. Returns the function that says that it has ended. */
export function tellOthers(id: string, owner: OwnerId, wish: Wish): () => void {
  const say = (what: Wish | null) => open().postMessage({ id, owner, wish: what } satisfies Message)
  say(wish)
  return () => say(null)
}

/**
 * Keeps `wishesElsewhereAtom`. Returns the function that ends it.
 * @param readBoard brings the board up to date, so that nothing flashes back when a wish ends
 */
export function hearOthers(store: Store, readBoard: () => Promise<void>): () => void {
  const change = (edit: (wishes: Map<string, Message>) => void) =>
    store.set(wishesElsewhereAtom, (wishes) => {
      const next = new Map(wishes)
      edit(next)
      return next
    })
  const forget = (id: string) => change((wishes) => wishes.delete(id))
  const hear = ({ data }: MessageEvent<Message>) => {
    if (data.wish === null) {
      readBoard()
        .catch((error: unknown) => reportError(error))
        .finally(() => forget(data.id))
    } else {
      change((wishes) => wishes.set(data.id, data))
      setTimeout(forget, FORGOTTEN_AFTER, data.id)
    }
  }
  open().addEventListener('message', hear)
  return () => open().removeEventListener('message', hear)
}
