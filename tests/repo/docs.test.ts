import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './scratch-copy'

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
const files = stdout.split('\n').filter((path) => path !== '' && existsSync(join(projectRoot, path)))
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const pages = files.filter((path) => path.endsWith('.md'))
const decisions = pages.filter((path) => /^docs\/decisions\/\d{4}-/.test(path))

/** The page without blocks of code, whose lines are neither headings nor links. */
const prose = (page: string) => page.replace(/^```[\s\S]*?^```/gm, '')

/** Anchors of a page's headings, as GitHub makes them. */
const anchors = (page: string) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )

const rowsOf = (page: string) => prose(page).match(/^\| .+ \|$/gm) ?? []

/** Relative links of a page that lead to no file, or to no heading of that file. */
function brokenLinks(path: string, page: string): string[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target = '', anchor] = link.split('#')
      const file = target === '' ? path : join(dirname(path), target)
      if (!existsSync(join(projectRoot, file))) return true
      return anchor !== undefined && !anchors(file === path ? page : read(file)).includes(anchor)
    })
    .map((link) => `${path}: ${link}`)
}

/** Source paths in backticks that name no file and no folder. */
const missingPaths = (path: string, page: string) =>
  [...page.matchAll(/`((?:src|server|sw|workers|tests|public|docs)\/[\w./-]*)`/g)]
    .map(([, named]) => named!)
    .filter((named) => !existsSync(join(projectRoot, named)))
    .map((named) => `${path}: ${named}`)

/**
 * Identifiers in rows of tables that the file of their row does not contain. Only those before a second path belong to the first,
 * and a word that is followed by a bracket, within or behind its ticks, belongs to what follows.
 */
const unknownNames = (path: string, page: string, source: (path: string) => string) =>
  rowsOf(page).flatMap((row) => {
    const [, file, beside] = /`((?:src|server)\/[\w./-]+\.\w+)`(.*?)(?:`\w+\/|$)/.exec(row) ?? []
    return [...(beside ?? '').matchAll(/`([a-z]+[A-Z]\w*|[A-Z]\w*[a-z_]\w*)`(?! \()/g)]
      .map(([, identifier]) => identifier!)
      .filter((identifier) => !source(file!).includes(identifier))
      .map((identifier) => `${path}: ${file} has no ${identifier}`)
  })

/** Rows of a table that name a file twice. */
const repeatedPaths = (path: string, page: string) =>
  rowsOf(page).flatMap((row) => {
    const named = [...row.matchAll(/`(\w+\/[\w./-]+)`/g)].map(([, file]) => file!)
    return named.filter((file, i) => named.indexOf(file) !== i).map((file) => `${path}: ${file} twice in a row`)
  })

/** The ways through the code that architecture.md lists: the numbers that a way's heading states, and the files it names. */
const ways = (page: string) =>
  [...page.matchAll(/^\*\*[^\n]+?\((.+?)\)\.\*\*([\s\S]*?)\n\n/gm)].map(([, counts, text]) => {
    let folder = ''
    const named = [...text!.matchAll(/`([^`]+\.tsx?)`/g)].map(([, name]) => {
      if (!name!.includes('/')) return `${folder}/${name}`
      folder = dirname(name!)
      return name!
    })
    return { numbers: counts!.match(/\d+/g)!.map(Number), named }
  })

const index = read('docs/decisions/README.md')
const listed = new Set([...index.matchAll(/^\| (\d{4}) \|/gm)].map(([, number]) => number!))

/** References such as "decision 0047" to a number that the index of decisions does not list. */
const unknownDecisions = (path: string, text: string) =>
  [...text.matchAll(/\bdecisions? (\d{4})\b/gi)]
    .map(([, number]) => number!)
    .filter((number) => !listed.has(number))
    .map((number) => `${path}: decision ${number}`)

it('every relative link of the documentation leads to a file, and its anchor to a heading', () => {
  expect(pages.length).toBeGreaterThan(40)
  expect(pages.flatMap((path) => brokenLinks(path, read(path)))).toEqual([])
})

it('every source path that the documentation names exists', () => {
  expect(pages.flatMap((path) => missingPaths(path, read(path)))).toEqual([])
})

it('every identifier beside a path in a row of a table is in that file, and no row names a file twice', () => {
  const tables = [
    'docs/architecture.md',
    'docs/glossary.md',
    ...pages.filter((path) => path.startsWith('docs/guides/')),
  ]
  expect(tables.flatMap((path) => unknownNames(path, read(path), read))).toEqual([])
  expect(tables.flatMap((path) => repeatedPaths(path, read(path)))).toEqual([])
})

it('every decision number in code, tests and documentation is listed in the index of decisions', () => {
  const texts = files.filter((path) => /\.(tsx?|mjs|css|html|sql|md)$/.test(path) && !path.startsWith('tests/repo/'))
  expect(texts.flatMap((path) => unknownDecisions(path, read(path)))).toEqual([])
})

it('every row of the index of decisions leads to a page of its own', () => {
  const rows = index.split('\n').filter((line) => /^\| \d{4} \|/.test(line))
  expect(rows.length).toBe(listed.size)
  expect(rows.filter((row) => !/\]\(\d{4}-[\w-]+\.md\)/.test(row))).toEqual([])
})

it('every decision has its number and title in the index, a date and a status', () => {
  expect(decisions.length).toBeGreaterThan(35)
  const wrong = decisions.filter((path) => {
    const [, number, title] = /^# (\d{4}) (.+)\n\n- Date: \d{4}-\d\d-\d\d\n- Status: \S/.exec(read(path)) ?? []
    return !index.includes(`| ${number} | [${title}](${path.slice('docs/decisions/'.length)}) |`)
  })
  expect(wrong).toEqual([])
})

it('the documentation check notices a missing file, a missing heading, a missing path, a name that is not in its file, a file named twice and an unknown decision', () => {
  const page = '# A page\n\n[a](nowhere.md) [b](#a-page) [c](#another) [d](../README.md) `src/nowhere.ts` `src/domain`'
  expect(brokenLinks('docs/architecture.md', page)).toEqual([
    'docs/architecture.md: nowhere.md',
    'docs/architecture.md: #another',
  ])
  expect(missingPaths('docs/a.md', page)).toEqual(['docs/a.md: src/nowhere.ts'])
  expect(
    unknownNames(
      'a.md',
      '| 1 | `src/a.ts` | in `there`, `gone`, `goneToo` and `Gone`, `call(goneToo)` |',
      () => 'there',
    ),
  ).toEqual(['a.md: src/a.ts has no goneToo', 'a.md: src/a.ts has no Gone'])
  expect(unknownNames('a.md', '| 1 | `src/a.ts`, `src/b.ts` | `goneToo` |', () => '')).toEqual([])
  expect(repeatedPaths('a.md', '| who? | `src/a.ts`, `src/b.ts`, `src/a.ts` |')).toEqual([
    'a.md: src/a.ts twice in a row',
  ])
  expect(unknownDecisions('a.ts', '// decision 0001, decision 9999')).toEqual(['a.ts: decision 9999'])
})
it('the ways through the code name as many files as they state, each once, and all exist', () => {
  const listed = ways(read('docs/architecture.md'))
  expect(listed).toHaveLength(3)
  for (const { numbers, named } of listed) {
    expect(numbers.at(-1)).toBe(named.length)
    expect([...new Set(named)]).toEqual(named)
    expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
  }
})
