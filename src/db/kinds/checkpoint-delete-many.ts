import { withoutCheckpoints } from '../../domain/checkpoint-list'
import { canonical } from '../ids'
import { asListChange, checkpointChange } from './checkpoint-change'
import type { KindRules } from './kind'

export const checkpointDeleteMany: KindRules<'checkpoint.delete-many@1'> = {
  ...checkpointChange,
  ...asListChange((list, { checkpoint_ids }, resolve) => withoutCheckpoints(list, checkpoint_ids.map(resolve))),
  mentions: ({ checkpoint_ids }) => checkpoint_ids,
  without: (payload, id) => ({ ...payload, checkpoint_ids: payload.checkpoint_ids.filter((one) => one !== id) }),
  request: ({ widget, checkpoint_ids }, ids) => ({
    route: 'deleteCheckpoints',
    params: { id: canonical(ids, widget) },
    body: { checkpoint_ids: checkpoint_ids.map((id) => canonical(ids, id)) },
  }),
  title: (label) => `Delete checkpoints of ${label}`,
  doneWhen: ['NOT_FOUND'],
}
