import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { onlyAdds } from '../../server/db/migration-text'
import { testProgramFiles } from './support/program-files'

test.each([
  [
    'a table with what it must hold, and a column that may be empty',
    true,
    ['CREATE TABLE "a" ("b" text NOT NULL)', 'ALTER TABLE "c" ADD COLUMN "d" text'],
  ],
  ['a mandatory column with a default', true, ['ALTER TABLE "c" ADD COLUMN "d" boolean DEFAULT false NOT NULL']],
  [
    'a function whose body deletes, and an index in the place of another',
    true,
    ['CREATE FUNCTION f() AS $$ BEGIN DELETE FROM a; END $$', 'CREATE INDEX "i" ON "a" ("b")', 'DROP INDEX "j"'],
  ],
  [
    'a rule for a table that it makes',
    true,
    [
      'CREATE TABLE "a" ("b" text)',
      'ALTER TABLE "a" ADD CONSTRAINT "u" UNIQUE("b")',
      'CREATE UNIQUE INDEX "i" ON "a" ("b")',
    ],
  ],
  ['a mandatory column without a default', false, ['ALTER TABLE "c" ADD COLUMN "d" text NOT NULL']],
  [
    'one column with a default and one without',
    false,
    ['ALTER TABLE "c" ADD COLUMN "d" text NOT NULL, ADD COLUMN "e" text DEFAULT 1 NOT NULL'],
  ],
  ['a column less', false, ['ALTER TABLE "c" DROP COLUMN "d"']],
  ['another name', false, ['ALTER TABLE "c" RENAME COLUMN "d" TO "e"']],
  ['another type', false, ['ALTER TABLE "c" ALTER COLUMN "d" SET DATA TYPE bigint']],
  ['a column that must hold something from now on', false, ['ALTER TABLE "c" ALTER COLUMN "d" SET NOT NULL']],
  ['a rule for a table that is there', false, ['CREATE UNIQUE INDEX "i" ON "c" ("d")']],
  [
    'a wider key, and why the version before bears it',
    true,
    [
      '-- compatible: no statement names it\nALTER TABLE "c" DROP CONSTRAINT "k"',
      'CREATE UNIQUE INDEX "i" ON "c" ("d")',
    ],
  ],
  ['a mark without a reason', false, ['-- compatible: \nALTER TABLE "c" DROP CONSTRAINT "k"']],
  ['what it says of itself', false, ['-- breaking: the days are counted otherwise\nCREATE TABLE "a" ("b" text)']],
])('a program that does not know a migration with %s may run beside it: %s', (_what, expected, statements) => {
  expect(onlyAdds(statements)).toBe(expected)
})

test('each migration since a program may run beside newer ones only adds, or says why it is breaking', () => {
  const { migrations } = testProgramFiles()
  const journal = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[]
  }
  const unmarked = readMigrationFiles({ migrationsFolder: migrations })
    .map(({ sql }, n) => ({ tag: journal.entries[n]!.tag, sql }))
    .filter(({ tag, sql }) => tag >= '0042' && !onlyAdds(sql) && !sql[0]!.startsWith('-- breaking: '))
  expect(unmarked.map(({ tag }) => tag)).toEqual([])
})
