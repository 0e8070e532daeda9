import { atom, useStore } from 'jotai'
import { useCallback } from 'react'
import type { LocalDatabase } from '../db/database'
import { type BoardView, readBoard, type WidgetPatch, type WidgetView } from '../db/view'
import type { OwnerId } from '../domain/ids'
import { keepIdentity, keepItems } from './keep-identity'
import { boardAtom } from './live-data'
import { type Store, useServices } from './services'

/**
 * How a mutation shows before the local database has it (decision 0064). A patch is absolute: applied to a board that
 * has the change already, it changes nothing.
 */
export type OptimisticPatch =
  | { readonly kind: 'change'; readonly key: string; readonly change: WidgetPatch | CheckpointsPatch }
  | { readonly kind: 'hide'; readonly key: string }
  /** Keys of all widgets; widgets without a key in the list keep their order at the end. */
  | { readonly kind: 'order'; readonly keys: readonly string[] }

type CheckpointsPatch = Pick<WidgetView, 'checkpoints'>

/** Patches of this tab's mutations, oldest first. */
export const patchesAtom = atom<readonly OptimisticPatch[]>([])

function applyPatch(widgets: readonly WidgetView[], patch: OptimisticPatch): readonly WidgetView[] {
  switch (patch.kind) {
    case 'change':
      return widgets.map((one) => (one.key === patch.key ? changed(one, patch.change) : one))
    case 'hide':
      return widgets.filter((one) => one.key !== patch.key)
    case 'order': {
      const places = new Map(patch.keys.map((key, index) => [key, index]))
      const placeOf = ({ key }: WidgetView) => places.get(key) ?? patch.keys.length
      return widgets.toSorted((a, b) => placeOf(a) - placeOf(b))
    }
  }
}

/** A patch of one side leaves the other as it is. */
function changed(
  widget: WidgetView,
  { alerts: { high, low } = {}, ...fields }: Partial<WidgetPatch & CheckpointsPatch>,
) {
  const alerts = { high: { ...widget.alerts.high, ...high }, low: { ...widget.alerts.low, ...low } }
  return { ...widget, ...fields, alerts }
}

const keyOf = (widget: WidgetView) => widget.key

/** The board with all patches. */
export const visibleBoardAtom = atom((get): BoardView | undefined => {
  const board = get(boardAtom)
  const remote = [...get(remotePatchesAtom).values()].filter(({ owner }) => owner === board?.owner)
  const patches = [...remote.flatMap(({ patch }) => patch ?? []), ...get(patchesAtom)]
  if (board === undefined || patches.length === 0) return board
  return { ...board, widgets: keepItems(board.widgets, patches.reduce(applyPatch, board.widgets), keyOf) }
})

/** `next`, in which every unchanged widget keeps its identity, so that its card does not render. */
export const shareBoard = (previous: BoardView | undefined, next: BoardView | undefined): BoardView | undefined =>
  previous === undefined || next === undefined
    ? next
    : keepIdentity(previous, { ...next, widgets: keepItems(previous.widgets, next.widgets, keyOf) })

/** Reads the board now, so that it has the change of a patch when the patch ends. */
export async function readAgain(store: Store, db: LocalDatabase): Promise<void> {
  const before = store.get(boardAtom)
  const board = await readBoard(db)
  // A live query that was faster is at least as new.
  if (store.get(boardAtom) === before) store.set(boardAtom, shareBoard(before, board))
}

const widgetKeyOf = (patch: OptimisticPatch) => (patch.kind === 'order' ? null : patch.key)

/** The result of each patch's command that has begun. */
const begunCommands = new WeakMap<OptimisticPatch, Promise<unknown>>()

/**
 * Shows a patch in the frame of its click, in this tab and the others, and runs its command after the widget's earlier
 * commands: a later one may be ready first. The patch ends at once when the command is refused or fails, else
 * when the board has been read after the command, so that nothing flashes back.
 *
 * A patch with a condition delays no other command of the widget: its own is queued when the condition is met. The value
 * of a condition is the result in the command's place; undefined lets the command begin.
 */
export function useOptimisticPatch() {
  const store = useStore()
  const { db, uuid } = useServices().commands
  return useCallback(
    async <R extends { readonly ok: boolean }>(
      patch: OptimisticPatch,
      command: () => Promise<R>,
      condition?: Promise<R | undefined>,
    ): Promise<R> => {
      const owner = store.get(boardAtom)?.owner
      const endRemote = owner && broadcastPatch(uuid(), owner, patch)
      const drop = () => {
        store.set(patchesAtom, (patches) => patches.filter((one) => one !== patch))
        endRemote?.()
      }
      const queued = (): Promise<R> => {
        const earlier = store
          .get(patchesAtom)
          .findLast((one) => widgetKeyOf(one) === widgetKeyOf(patch) && begunCommands.has(one))
        const before = earlier && begunCommands.get(earlier)
        const done = before === undefined ? command() : before.then(command, command)
        begunCommands.set(patch, done)
        return done
      }
      store.set(patchesAtom, (patches) => [...patches, patch])
      try {
        const result = (condition && (await condition)) ?? (await queued())
        if (result.ok) readAgain(store, db).catch(reportFailure).finally(drop)
        else drop()
        return result
      } catch (error) {
        drop()
        throw error
      }
    },
    [store, db, uuid],
  )
}

const reportFailure = (error: unknown) => reportError(error)

/** A message of one tab to the others about a patch; null: the patch has ended. */
interface PatchMessage {
  readonly id: string
  readonly owner: OwnerId
  readonly patch: OptimisticPatch | null
}

/** The name carries the version of its messages: tabs of two builds may be open at once. */
const CHANNEL = 'patches@1'
/** Milliseconds after which a patch ends whose tab has not ended it: that tab may be closed. */
const REMOTE_PATCH_TTL = 5_000

/** Patches of other tabs by their ids; by way of the database they would show some 100 ms later (decision 0064). */
const remotePatchesAtom = atom<ReadonlyMap<string, PatchMessage>>(new Map())

let channel: BroadcastChannel | undefined
const openChannel = (): BroadcastChannel => (channel ??= new BroadcastChannel(CHANNEL))

/** Shows a patch in the other tabs. Returns the function that ends it there. */
export function broadcastPatch(id: string, owner: OwnerId, patch: OptimisticPatch): () => void {
  const post = (message: OptimisticPatch | null) =>
    openChannel().postMessage({ id, owner, patch: message } satisfies PatchMessage)
  post(patch)
  return () => post(null)
}

/**
 * Keeps `remotePatchesAtom`. Returns the function that ends it.
 * @param readBoardAgain brings the board up to date, so that nothing flashes back when a patch ends
 */
export function listenForPatches(store: Store, readBoardAgain: () => Promise<void>): () => void {
  const change = (edit: (patches: Map<string, PatchMessage>) => void) =>
    store.set(remotePatchesAtom, (patches) => {
      const next = new Map(patches)
      edit(next)
      return next
    })
  const forget = (id: string) => change((patches) => patches.delete(id))
  const receive = ({ data }: MessageEvent<PatchMessage>) => {
    if (data.patch === null) {
      readBoardAgain()
        .catch(reportFailure)
        .finally(() => forget(data.id))
    } else {
      change((patches) => patches.set(data.id, data))
      setTimeout(forget, REMOTE_PATCH_TTL, data.id)
    }
  }
  openChannel().addEventListener('message', receive)
  return () => openChannel().removeEventListener('message', receive)
}
