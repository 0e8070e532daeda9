import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accessTokenKey } from '../../server/services/sessions/access-token'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ratio-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keyIn = (DATA_DIR: string, JWT_SECRET?: string) =>
  Buffer.from(accessTokenKey({ DATA_DIR, JWT_SECRET })).toString()

test('JWT_SECRET is used as the access token key, and no file is written', () => {
  expect(keyIn(folder, 'a secret of more than thirty-two characters')).toBe(
    'a secret of more than thirty-two characters',
  )
  expect(readdirSync(folder)).toEqual([])
})

test('without JWT_SECRET, the access token key is generated once per data folder, in a file with mode 600', () => {
  const data = join(folder, 'not/there/yet')
  const made = keyIn(data)
  expect(made).toHaveLength(64)
  expect(keyIn(data)).toBe(made)
  expect(readdirSync(data)).toEqual(['jwt-secret', 'ratio-tracker'])
  expect(statSync(join(data, 'jwt-secret')).mode & 0o777).toBe(0o600)
  expect(keyIn(join(folder, 'another'))).not.toBe(made)
})

test('reading a jwt-secret file that holds no secret fails and leaves the file unchanged', () => {
  const file = join(folder, 'jwt-secret')
  for (const text of ['', 'short\n', ' '.repeat(40)]) {
    writeFileSync(file, text)
    expect(() => keyIn(folder)).toThrow(`${file} does not hold a secret`)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
})
