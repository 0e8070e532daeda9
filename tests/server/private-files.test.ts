import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepPrivate } from '../../server/private-files'

const modeOf = (path: string) => lstatSync(path).mode & 0o777

test('of an existing data folder group and others lose every permission, and its user keeps each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratio-private-'))
  const umask = process.umask()
  onTestFinished(() => {
    process.umask(umask)
    rmSync(folder, { recursive: true })
  })
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
