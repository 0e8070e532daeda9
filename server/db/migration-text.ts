/* A migration is read here for the locks that its statements take, and for whether it only adds. */

export interface TableLock {
  readonly table: string
  readonly mode: (typeof MODES)[number]
}

/** From the weakest, beside which others write, to the strongest, beside which nobody reads. */
const MODES = ['SHARE UPDATE EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'ACCESS EXCLUSIVE'] as const

/** Tables that a change locks before all others (decision 0049). */
const FIRST = ['owners', 'users', 'widgets']

/** Statements by the table that they lock, and whether readers wait for them, too. */
const LOCKING: readonly (readonly [RegExp, TableLock['mode']])[] = [
  [/^ALTER TABLE (?!.* VALIDATE CONSTRAINT )(?:IF EXISTS )?(?:ONLY )?"?(\w+)"?/is, 'ACCESS EXCLUSIVE'],
  [/^ALTER TABLE "?(\w+)"? VALIDATE CONSTRAINT /i, 'SHARE UPDATE EXCLUSIVE'],
  [/^CREATE (?:UNIQUE )?INDEX .*? ON "?(\w+)"?/is, 'SHARE ROW EXCLUSIVE'],
  [/^CREATE (?:CONSTRAINT )?TRIGGER .*? ON "?(\w+)"?/is, 'SHARE ROW EXCLUSIVE'],
  [/^DROP TRIGGER .*? ON "?(\w+)"?/is, 'ACCESS EXCLUSIVE'],
]
const REFERENCES = /REFERENCES (?:"public"\.)?"?(\w+)"?/gi

/** The locks on tables that the statements take, those that everybody takes first in front; each table once. */
export function tableLocks(statements: readonly string[]): TableLock[] {
  const modes = new Map<string, TableLock['mode']>()
  const add = (table: string | undefined, mode: TableLock['mode']) => {
    if (table === undefined) return
    const known = modes.get(table)
    if (known === undefined || MODES.indexOf(known) < MODES.indexOf(mode)) modes.set(table, mode)
  }
  for (const text of statements.map(withoutComments)) {
    for (const [form, mode] of LOCKING) add(form.exec(text)?.[1], mode)
    for (const [, table] of text.matchAll(REFERENCES)) add(table, 'SHARE ROW EXCLUSIVE')
  }
  const place = (table: string) => (FIRST.includes(table) ? FIRST.indexOf(table) : FIRST.length)
  return [...modes]
    .map(([table, mode]) => ({ table, mode }))
    .toSorted((a, b) => place(a.table) - place(b.table) || (a.table < b.table ? -1 : 1))
}

/** Begins the text of a migration that programs from before it cannot run beside, and says why. */
const BREAKING = /^\s*-- breaking: \S/

/**
 * Begins the text of a migration that looks as if it took something away, and says why the statements of the version before go on
 * working all the same: a key in the place of a narrower one.
 */
const COMPATIBLE = /^\s*-- compatible: \S/

/** A program that does not know of these would fail, or write what a newer one cannot read. An index may go: no statement names it. */
const TAKES_AWAY =
  /\b(DROP (?!INDEX)|RENAME\b|TRUNCATE\b|DELETE FROM\b|SET DATA TYPE\b|ALTER TYPE\b|ALTER COLUMN \S+ TYPE\b|SET NOT NULL\b)/i
/** True if a statement adds a column that a program which does not know it cannot fill. */
const addsMandatory = (text: string): boolean =>
  text
    .split(/,\s*(?=ADD\b)/i)
    .some((part) => /\bADD COLUMN\b.*\bNOT NULL\b/is.test(part) && !/\b(DEFAULT|GENERATED)\b/i.test(part))
const ADDS_RULE = /\bADD CONSTRAINT\b.*\b(CHECK|UNIQUE|PRIMARY KEY|EXCLUDE)\b/is
const UNIQUE_INDEX = /^CREATE UNIQUE INDEX .*? ON "?(\w+)"?/is
const NEW_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)"?/i

/**
 * True if a program that does not know the migration may run on: it only adds tables, columns that need no value, indexes,
 * functions and triggers, and its text is not marked as breaking; or it says that the version before bears it.
 */
export function onlyAdds(statements: readonly string[]): boolean {
  if (BREAKING.test(statements[0] ?? '')) return false
  if (COMPATIBLE.test(statements[0] ?? '')) return true
  const texts = statements.map(withoutComments)
  const made = texts.flatMap((text) => NEW_TABLE.exec(text)?.[1] ?? [])
  const isOfNewTable = (text: string) =>
    made.includes(UNIQUE_INDEX.exec(text)?.[1] ?? LOCKING[0]![0].exec(text)?.[1] ?? '')
  return texts.every((text) => {
    if (TAKES_AWAY.test(text)) return false
    if (isOfNewTable(text)) return true
    return !addsMandatory(text) && !ADDS_RULE.test(text) && !UNIQUE_INDEX.test(text)
  })
}

/** The statement's own words: no comment, no body of a function. */
const withoutComments = (statement: string): string =>
  statement
    .replace(/\$\$.*?\$\$/gs, '$$$$')
    .replace(/--.*$/gm, '')
    .trim()
