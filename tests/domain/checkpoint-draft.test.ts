import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CheckpointId } from '../../src/domain/ids'
import {
  editDraft,
  isTouched,
  applyDraft,
  toCommit,
  UNTOUCHED,
  type Draft,
  type Edit,
} from '../../src/domain/checkpoint-draft'

type Shown = Parameters<typeof applyDraft>[0][number]

const id = (name: string): CheckpointId => name as CheckpointId
/** `aBc`: three checkpoints in this order, of which b is the default. */
const list = (names: string): readonly Shown[] =>
  names.split('').map((name) => ({
    id: id(name.toLowerCase()),
    isDefault: name !== name.toLowerCase(),
  }))
const names = (shown: readonly Shown[]): string =>
  shown.map((one) => (one.isDefault ? one.id.toUpperCase() : one.id)).join('')
const ids = (text: string) => text.split('').map(id)

/** Edits as the user makes them: `-a` deletes, `*a` makes default, `cab` orders; each on what is then shown. */
function edited(live: string, ...edits: readonly string[]): Draft {
  let draft = UNTOUCHED
  for (const edit of edits) {
    const shown = applyDraft(list(live), draft)
    const name = id(edit.slice(1))
    const made: Edit = edit.startsWith('-')
      ? { kind: 'delete', id: name, left: shown.map((one) => one.id).filter((one) => one !== name) }
      : edit.startsWith('*')
        ? { kind: 'set-default', id: name }
        : { kind: 'order', ids: ids(edit) }
    draft = editDraft(draft, made)
  }
  return draft
}
const after = (live: string, ...edits: readonly string[]) => names(applyDraft(list(live), edited(live, ...edits)))

test.each([
  ['aBc', ['-a'], 'Bc'],
  ['aBc', ['-b'], 'aC'],
  ['aBc', ['-b', '-c'], 'A'],
  ['aBc', ['-a', '-b', '-c'], ''],
  ['aBc', ['cab'], 'caB'],
  ['aBc', ['*c'], 'abC'],
  // The last of what is seen, and not of what the server still has.
  ['aBc', ['cba', '-b'], 'cA'],
  // A default that was chosen and deleted does not give the flag back.
  ['Abc', ['*b', '-b'], 'aC'],
  ['aBc', ['-b', '*a'], 'Ac'],
])('the checkpoints %s after the edits %j are shown as %s', (live, edits, shown) => {
  expect(after(live, ...edits)).toBe(shown)
})

test('changes made elsewhere show in a checkpoint draft where the user has changed nothing', () => {
  const draft = edited('aBc', '-a')
  expect(names(applyDraft(list('abCd'), draft))).toBe('bCd')
  expect(toCommit(list('abCd'), draft, (one) => one)).toEqual({ deleted: ['a'], order: [], defaultId: null })
})

test('changes made elsewhere do not revert the user’s edits in a checkpoint draft', () => {
  const draft = edited('aBc', 'cab', '*a')
  expect(names(applyDraft(list('bacD'), draft))).toBe('cAbd')
})

test('a checkpoint that the user has made the default leaves the draft when deleted elsewhere', () => {
  expect(names(applyDraft(list('aB'), edited('aBc', 'cab', '*c')))).toBe('aB')
})

test('a checkpoint draft follows a checkpoint whose local id is replaced by the server’s id', () => {
  const resolve = (one: CheckpointId) => (one === 'c' ? id('z') : one)
  const draft = edited('aBc', 'cab', '*c')
  expect(names(applyDraft(list('aBz'), draft, resolve))).toBe('Zab')
  expect(toCommit(list('aBz'), draft, resolve)).toEqual({ deleted: [], order: ids('zab'), defaultId: 'z' })
})

test('the commit of a checkpoint draft names the default that replaced a deleted default', () => {
  const draft = edited('aBc', 'cba', '-b')
  expect(toCommit(list('aBc'), draft, (one) => one)).toEqual({ deleted: ['b'], order: ids('cba'), defaultId: 'a' })
})

test('a checkpoint draft needs a commit only after an edit', () => {
  expect(isTouched(UNTOUCHED)).toBe(false)
  for (const edit of ['-a', '*a', 'ba']) expect(isTouched(edited('aB', edit))).toBe(true)
})

test('any edits of a checkpoint draft leave exactly the checkpoints not deleted, with one default among them', () => {
  const edit = fc.oneof(
    fc.constantFrom(...ids('abcde')).map((name) => `-${name}`),
    fc.constantFrom(...ids('abcde')).map((name) => `*${name}`),
    fc.shuffledSubarray(ids('abcde')).map((order) => order.join('')),
  )
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      const shown = applyDraft(list('aBcde'), edited('aBcde', ...edits.filter((one) => one !== '')))
      const deleted = edits.filter((one) => one.startsWith('-')).map((one) => one.slice(1))
      expect(shown.map((one) => one.id).toSorted()).toEqual(ids('abcde').filter((one) => !deleted.includes(one)))
      expect(shown.filter((one) => one.isDefault)).toHaveLength(shown.length > 0 ? 1 : 0)
    }),
  )
})
