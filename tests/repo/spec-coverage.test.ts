import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './scratch-copy'

const DASHBOARD_SECTIONS = [
  '1. What the product does and for whom',
  '2. Screens and routes',
  '3. Entities and their fields',
  '4. States and transitions',
  '5. Validation rules',
  '6. Roles and permissions',
  '7. The calls it makes',
  '8. The error catalogue',
  '9. Business constants and limits',
]
const ACCOUNTS_SECTIONS = DASHBOARD_SECTIONS.with(7, '8. Error catalogue')

/** Sections with the test files of each row; a bold row is a heading. */
const readSections = (markdown: string) =>
  markdown
    .split(/^(?=###? )/m)
    .filter((part) => part.startsWith('### '))
    .map((part) => ({
      title: /^### (.*)$/m.exec(part)![1]!,
      rows: [...part.matchAll(/^\| (?!\*\*|Requirement|---)(.*?) \| (.*?) \|/gm)].map(([, requirement, cell]) => ({
        requirement: requirement!,
        files: [...cell!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
        isExcused: cell!.startsWith('No test: '),
      })),
    }))
type Section = ReturnType<typeof readSections>[number]

/** Rows that name no test file, or one that is not there. */
const unshown = (sections: readonly Section[]) =>
  sections
    .flatMap(({ rows }) => rows)
    .filter(({ files, isExcused }) => files.length === 0 && !isExcused)
    .map(({ requirement }) => requirement)
const missing = (sections: readonly Section[]) =>
  sections
    .flatMap(({ rows }) => rows.flatMap(({ files }) => files))
    .filter((file) => !/^tests\/.+\.(test|spec|bars)\.tsx?$/.test(file) || !existsSync(join(projectRoot, file)))

const sections = readSections(readFileSync(join(projectRoot, 'docs/spec-coverage.md'), 'utf8'))

it('the specification coverage has every section of both documents in order, with at least three rows each', () => {
  expect(sections.map(({ title }) => title)).toEqual([...DASHBOARD_SECTIONS, ...ACCOUNTS_SECTIONS])
  expect(sections.filter(({ rows }) => rows.length < 3)).toEqual([])
})

it('every row of the specification coverage names test files that exist; one in fifty at most says why there is none', () => {
  expect(unshown(sections)).toEqual([])
  expect(missing(sections)).toEqual([])
  const rows = sections.flatMap((section) => section.rows)
  expect(rows.filter(({ isExcused }) => isExcused).length).toBeLessThan(rows.length / 50)
})

it('the coverage check notices a row without a test file, a missing file, and a file that holds no tests', () => {
  const planted = readSections(
    '## A\n### 1\n| a | | |\n| b | `tests/repo/no-such.test.ts` | |\n| c | `tests/repo/scratch-copy.ts` | |\n',
  )
  expect(unshown(planted)).toEqual(['a'])
  expect(missing(planted)).toEqual(['tests/repo/no-such.test.ts', 'tests/repo/scratch-copy.ts'])
})
