import type { AlertSettings } from '../../contract/alerts'
import type { MutationType } from './mutation-type'

const WHAT = 'what you are alerted of'

export const alertSettingsSave: MutationType<'alert-settings.save@1'> = {
  conflictClass: 'change',
  widget: () => null,
  createsId: () => null,
  requires: () => [],
  references: () => [],
  withoutReference: (payload) => payload,
  mergeWith: (earlier, later) => ({ body: { ...earlier.body, ...later.body } }),
  applyTo: (board) => board,
  request: ({ body }) => ({ route: 'saveAlertSettings', params: {}, body }),
  answerRows: (_payload, answer) => (answer === null ? {} : { settings: answer as AlertSettings }),
  title: () => `Change ${WHAT}`,
  refusal: (_entry, { message }) => `Failed to change ${WHAT}: ${message}`,
  doneWhen: [],
  doneNote: null,
}
