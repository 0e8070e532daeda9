import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { policyBlocks } from '../../src/domain/policy-blocks'

it.each([
  ['the policy name, which is not repeated', 'Terms of Use\n\nVersion 1', [{ kind: 'paragraph', text: 'Version 1' }]],
  [
    'a numbered line of its own',
    'Terms\n\n1. Scope\n\n\nText',
    [
      { kind: 'heading', text: '1. Scope' },
      { kind: 'paragraph', text: 'Text' },
    ],
  ],
  [
    'a paragraph that begins with a number',
    'Terms\n\n3. is\na paragraph',
    [{ kind: 'paragraph', text: '3. is\na paragraph' }],
  ],
  [
    'a list after its introduction',
    'Terms\n\nWe store:\n- one;\n- two.',
    [
      { kind: 'paragraph', text: 'We store:' },
      { kind: 'list', items: ['one;', 'two.'] },
    ],
  ],
  ['a list alone', 'Terms\n\n- one', [{ kind: 'list', items: ['one'] }]],
  [
    'a text that begins with its first section',
    '1. Scope\n\nText',
    [
      { kind: 'heading', text: '1. Scope' },
      { kind: 'paragraph', text: 'Text' },
    ],
  ],
  ['an empty text', '', []],
])('policyBlocks splits into the expected blocks: %s', (_what, text, blocks) =>
  expect(policyBlocks(text)).toEqual(blocks),
)

const folder = new URL('../../server/policies/', import.meta.url)
it.each(readdirSync(folder))('the blocks of %s hold every word of the policy', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  const blocks = policyBlocks(text)
  const words = (one: string) => one.split(/[\s-]+/).filter((word) => word !== '')
  const shown = blocks.flatMap((block) => (block.kind === 'list' ? block.items : [block.text])).flatMap(words)
  const [title = ''] = text.split('\n')
  expect([...words(title), ...shown]).toEqual(words(text))
  expect(blocks.filter(({ kind }) => kind === 'heading').length).toBeGreaterThan(5)
})
