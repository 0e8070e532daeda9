import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { placeOf } from '../../server/db/place'
import { backupArguments, restoreArguments, roleFrom } from '../../server/programs/command-line'
import { superuserCommand } from '../../server/services/admin/superuser-command'

test('the server takes its role as --role web or --role=web, all without one, and names arguments that it does not know', () => {
  expect([[], ['--role', 'web'], ['--role=worker'], ['--role=all']].map(roleFrom)).toEqual([
    'all',
    'web',
    'worker',
    'all',
  ])
  for (const wrong of [['--roll', 'web'], ['--role'], ['--role', 'both'], ['--role', 'web', 'worker'], ['web']]) {
    expect(() => roleFrom(wrong), wrong.join(' ')).toThrow(
      `Unknown arguments: ${wrong.join(' ')}. The only one is --role web|worker|all.`,
    )
  }
})

test('the superuser command takes an action and an email address, and explains its usage for anything else', () => {
  expect(superuserCommand(['dismiss', 'ada@example.com'])).toEqual({ action: 'dismiss', email: 'ada@example.com' })
  for (const wrong of [
    [],
    ['appoint'],
    ['ada@example.com', 'appoint'],
    ['appoint', 'a@example.com', 'b@example.com'],
  ]) {
    expect(() => superuserCommand(wrong), wrong.join(' ')).toThrow(
      'Usage: npm run superuser -- appoint|dismiss|remove-passkeys <email>',
    )
  }
})

test('backup and restore take a file, both --with-secrets, backup --allow-empty, and explain their usage for anything else', () => {
  expect(backupArguments(['a.gz'])).toEqual({ file: 'a.gz', withSecrets: false, allowEmpty: false })
  const all = ['--with-secrets', 'a.gz', '--allow-empty']
  expect(backupArguments(all)).toEqual({ file: 'a.gz', withSecrets: true, allowEmpty: true })
  for (const wrong of [[], ['--fast', 'a.gz'], ['a.gz', 'b.gz'], ['--with-secrets']]) {
    expect(() => backupArguments(wrong), wrong.join(' ')).toThrow(
      'Usage: npm run backup -- [--with-secrets] [--allow-empty] <file>',
    )
  }
  expect(restoreArguments(['a.gz'])).toEqual({ file: 'a.gz', withSecrets: false })
  expect(restoreArguments(['--with-secrets', 'a.gz'])).toEqual({ file: 'a.gz', withSecrets: true })
  for (const wrong of [[], ['--fast'], ['a.gz', 'b.gz']]) {
    expect(() => restoreArguments(wrong), wrong.join(' ')).toThrow('Usage: npm run restore -- [--with-secrets] <file>')
  }
})

test('the database that a command means is named by its whole path, or by its server and name without the password', () => {
  expect(placeOf({ DATABASE_URL: undefined, DATA_DIR: '.dta' })).toBe(`The embedded database in ${resolve('.dta')}`)
  expect(placeOf({ DATABASE_URL: 'postgres://me:secret@db/ratios', DATA_DIR: '' })).toBe('PostgreSQL db:5432/ratios')
})
