import { withoutCheckpoints } from '../../domain/checkpoint-list'
import { canonical } from '../ids'
import { asListChange, checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointDelete: KindRules<'checkpoint.delete@1'> = {
  ...checkpointChange,
  ...asListChange((list, { checkpoint }, resolve) => withoutCheckpoints(list, [resolve(checkpoint)])),
  subjects: ({ widget, checkpoint }) => [widget, checkpoint],
  request: ({ widget, checkpoint }, ids) => ({
    route: 'deleteCheckpoint',
    params: { id: canonical(ids, widget), checkpoint_id: canonical(ids, checkpoint) },
    body: undefined,
  }),
  title: (label) => `Delete the default checkpoint of ${label}`,
  doneWhen: ['NOT_FOUND'],
}
