import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback } from 'react'
import type { OutboxEntry } from '../../../src/db/outbox-entry'
import type { CheckpointId, WidgetId } from '../../../src/domain/ids'
import { CheckpointsDialog } from '../../../src/features/checkpoints/checkpoints-dialog'
import { useLiveFeeds } from '../../../src/app/screen'
import { closeDialogAtom, findDialog, openDialogAtom, openDialogsAtom } from '../../../src/state/open-dialogs'
import { appWithPair } from '../support/app-with-pair'
import { seedCheckpoints, signIn, type LocalApp } from '../support/local-app'

function Page() {
  useLiveFeeds()
  const dialog = findDialog(useAtomValue(openDialogsAtom), 'checkpoints')
  const closeDialog = useSetAtom(closeDialogAtom)
  const close = useCallback(() => closeDialog('checkpoints'), [closeDialog])
  return dialog !== undefined && <CheckpointsDialog widgetId={dialog.widget} onClose={close} />
}

interface Opened {
  readonly app: LocalApp
  readonly widget: WidgetId
  readonly ids: readonly CheckpointId[]
  readonly dialog: ReturnType<typeof within>
  readonly unmount: () => void
}

/** A premium user's BTC / ETH at a ratio of 20, with checkpoints at these ratios, the first of which is the default. */
export async function open(ratios: readonly number[]): Promise<Opened> {
  const { app, id: widget } = await appWithPair({ coins: 4, seed: signIn, prices: { 0: 60_000, 1: 3_000 } })
  const ids = await seedCheckpoints(app, widget, ratios)
  app.store.set(openDialogAtom, { kind: 'checkpoints', widget })
  const { unmount } = app.render(<Page />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage Checkpoints' }))
  await dialog.findByText('20.0000', { selector: 'strong' })
  return { app, widget, ids, dialog, unmount }
}
export type Dialog = Opened['dialog']

export const rows = (dialog: Dialog): HTMLElement[] => dialog.queryAllByRole('listitem')
/** Ratios in order, the default in brackets. */
export const shown = (dialog: Dialog): string =>
  rows(dialog)
    .map((row) => {
      const ratio = String(Number(row.querySelector('p span')?.textContent))
      return within(row).queryByText('Default') === null ? ratio : `[${ratio}]`
    })
    .join(' ')
export const inRow = (dialog: Dialog, ratio: string) =>
  within(rows(dialog).find((row) => row.textContent?.includes(ratio))!)
export const press = (dialog: Dialog, ratio: string, name: string) =>
  userEvent.click(inRow(dialog, ratio).getByRole('button', { name }))
export const close = (dialog: Dialog) => userEvent.click(dialog.getByRole('button', { name: 'Close' }))
export const outbox = (app: LocalApp): Promise<OutboxEntry[]> => app.db.outbox.orderBy('seq').toArray()
export const sent = async (app: LocalApp) =>
  (await outbox(app)).map(({ kind, payload }) => {
    const { widget: _, ...rest } = payload as Record<string, unknown>
    return [kind, rest]
  })
