import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { placeOf } from '../../server/db/place'
import { backupArguments, operatorSentence, restoreArguments, roleFrom } from '../../server/programs/command-line'
import { temporaryFolder } from './support/for-file'
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
  const several = 'postgres://me:p%40,ss@a:5433,[::1]/ratios?target_session_attrs=read-write'
  expect(placeOf({ DATABASE_URL: several, DATA_DIR: '' })).toBe('PostgreSQL a:5433,[::1]:5432/ratios')
})

test('a DATA_DIR that cannot be used ends a program with the variable, the path, the cause and the way out; other errors keep their sentence', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const folder = join(file, 'data')
  const failure = (run: () => void, dataDir: string): string => {
    try {
      run()
    } catch (error) {
      return operatorSentence(error, dataDir)
    }
    return 'nothing failed'
  }
  expect(failure(() => mkdirSync(folder, { recursive: true }), folder)).toBe(
    `DATA_DIR: ${folder} cannot be used, it is no folder. Let the user who runs this program own ${folder} and what is in it, or name another folder.`,
  )
  const key = join(folder, 'jwt-secret')
  const refused = Object.assign(new Error(`EACCES: permission denied, open '${key}'`), { code: 'EACCES', path: key })
  expect(operatorSentence(refused, folder)).toContain(`DATA_DIR: ${key} cannot be used, this user may not use it.`)
  expect(operatorSentence(refused, '/elsewhere')).toBe(refused.message)
  expect(operatorSentence(new Error('A sentence.'), folder)).toBe('A sentence.')
})
