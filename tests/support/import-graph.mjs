import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { projectRoot } from '../../server/cli/run-command.mjs'

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)(['"])(\.{1,2}\/[^'"]+)\1/g
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '/index.ts']

/** @param {readonly string[]} args @returns {string[]} the lines that git says */
export function git(...args) {
  const done = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  return done.stdout.split('\n').filter((line) => line !== '')
}

/** The project's files: committed or new. @returns {string[]} */
export const projectFiles = () =>
  git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) => existsSync(join(projectRoot, path)))

/** @param {string} path @returns {string} */
export const textOf = (path) => readFileSync(join(projectRoot, path), 'utf8')

/**
 * For each file the files that it imports, types among them, at once or later.
 *
 * @param {readonly string[]} [files]
 * @param {(path: string) => string} [read]
 * @returns {Map<string, string[]>}
 */
export function importGraph(files = projectFiles(), read = textOf) {
  const known = new Set(files)
  const imports = files
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path))
    .map((file) => {
      const targets = Array.from(read(file).matchAll(IMPORT), ([, , specifier = '']) => {
        const path = posix.join(dirname(file), specifier)
        return ENDINGS.map((ending) => path + ending).find((candidate) => known.has(candidate))
      })
      return /** @type {[string, string[]]} */ ([file, [...new Set(targets.filter((target) => target !== undefined))]])
    })
  return new Map(imports)
}

/** The other way round: for each file those that import it. @param {ReadonlyMap<string, readonly string[]>} graph @returns {Map<string, string[]>} */
export function importersIn(graph) {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  return importers
}

/**
 * Circles of imports: each a group of files of which every one imports every other, over others or at once (Tarjan's strongly
 * connected components of more than one file).
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]} the largest first
 */
export function circlesIn(graph) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map()
  /** @type {string[]} */
  const open = []
  /** @type {string[][]} */
  const circles = []
  /** @param {string} file @returns {{ index: number, low: number, open: boolean }} */
  const visit = (file) => {
    const own = { index: seen.size, low: seen.size, open: true }
    seen.set(file, own)
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      const other = seen.get(target) ?? visit(target)
      if (other.open) own.low = Math.min(own.low, other.low)
    }
    if (own.low === own.index) {
      const group = open.splice(open.indexOf(file))
      for (const member of group) /** @type {{ open: boolean }} */ (seen.get(member)).open = false
      if (group.length > 1) circles.push(group.toSorted())
    }
    return own
  }
  for (const file of graph.keys()) if (!seen.has(file)) visit(file)
  return circles.toSorted((a, b) => b.length - a.length)
}
