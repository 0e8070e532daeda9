import { canonical } from '../ids'
import { asListChange, checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointAnonymousDelete: KindRules<'checkpoint.anonymous-delete@1'> = {
  ...checkpointChange,
  ...asListChange(() => []),
  subjects: ({ widget, checkpoint }) => [widget, checkpoint],
  request: ({ widget }, ids) => ({
    route: 'deleteAnonymousCheckpoint',
    params: { id: canonical(ids, widget) },
    body: undefined,
  }),
  title: (label) => `Delete the checkpoint of ${label}`,
  doneWhen: ['NOT_FOUND'],
}
