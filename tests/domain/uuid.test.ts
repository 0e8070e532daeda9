import { expect, test } from 'vitest'
import { uuidOf } from '../../src/domain/ids'

test('uuidOf sets version and variant bits and keeps all other bits', () => {
  expect(uuidOf(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
  expect(uuidOf(new Uint8Array(16).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(uuidOf(Uint8Array.from({ length: 16 }, (_, byte) => byte))).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f')
})
