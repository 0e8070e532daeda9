import { withDefault } from '../../domain/checkpoint-list'
import { canonical } from '../ids'
import { asListChange, checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointSetDefault: KindRules<'checkpoint.set-default@1'> = {
  ...checkpointChange,
  ...asListChange((list, { checkpoint }, resolve) => withDefault(list, resolve(checkpoint))),
  subjects: ({ widget, checkpoint }) => [widget, checkpoint],
  request: ({ widget, checkpoint }, ids) => ({
    route: 'setDefaultCheckpoint',
    params: { id: canonical(ids, widget), checkpoint_id: canonical(ids, checkpoint) },
    body: undefined,
  }),
  title: (label) => `Set the default checkpoint of ${label}`,
}
