import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claimFolder, ForeignFolderError } from '../../server/data-folder'
import { keepPrivate } from '../../server/private-files'

const modeOf = (path: string) => lstatSync(path).mode & 0o777

test('of an existing data folder group and others lose every permission, and its user keeps each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-private-'))
  const umask = process.umask()
  onTestFinished(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, 'ratio-tracker'), '')
  mkdirSync(join(folder, 'inside'))
  writeFileSync(join(folder, 'inside/program'), '')
  writeFileSync(join(folder, 'inside/text'), '')
  symlinkSync('/gone', join(folder, 'link'))
  chmodSync(join(folder, 'inside/program'), 0o755)
  chmodSync(join(folder, 'inside/text'), 0o466)
  chmodSync(join(folder, 'inside'), 0o777)
  chmodSync(folder, 0o755)
  expect(keepPrivate(folder)).toEqual([])
  expect(['', 'inside', 'inside/program', 'inside/text'].map((path) => modeOf(join(folder, path)))).toEqual([
    0o700, 0o700, 0o700, 0o400,
  ])
  writeFileSync(join(folder, 'later'), '')
  expect(modeOf(join(folder, 'later'))).toBe(0o600)
  expect(keepPrivate(join(folder, 'not/there'))).toEqual([])
})

test.each([
  ['a home', ['thesis.txt', '.ssh/id_rsa']],
  ['another database’s parent', ['postgres/PG_VERSION', 'compose.yaml']],
])('a folder that is %s is refused as data folder, and no permission in it changes', (_, entries) => {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-foreign-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const entry of entries) {
    mkdirSync(dirname(join(folder, entry)), { recursive: true })
    writeFileSync(join(folder, entry), '')
    chmodSync(join(folder, entry), 0o644)
  }
  chmodSync(folder, 0o755)
  expect(() => keepPrivate(folder)).toThrow('holds something else')
  expect(() => claimFolder(folder)).toThrow(ForeignFolderError)
  expect([folder, ...entries.map((entry) => join(folder, entry))].map(modeOf)).toEqual([
    0o755,
    ...entries.map(() => 0o644),
  ])
})

test.each([
  ['an empty one', []],
  ['one on a new volume', ['lost+found/x']],
  ['one of an earlier version', ['postgres/PG_VERSION', 'vapid-keys.json', 'mails/1.json']],
  ['one of an earlier version with backups in it', ['postgres/PG_VERSION', 'vapid-keys.json', 'backups/old.gz']],
  ['one that is marked', ['ratio-tracker', 'notes.txt']],
])('a data folder is taken, and marked: %s', (_, entries) => {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const entry of entries) {
    mkdirSync(dirname(join(folder, entry)), { recursive: true })
    writeFileSync(join(folder, entry), '')
  }
  expect(existsSync(join(claimFolder(folder), 'ratio-tracker'))).toBe(true)
})
