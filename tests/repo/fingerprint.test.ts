import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { projectRoot } from './scratch-copy'

/** Of the project's tracked files and folders, what the build does not read. */
const NOT_BUILT = /^(deploy|docs|tests|LICENSE|tsconfig\.tools\.json|\..*|.*\.md)$/

test('npm start builds again after a change of any file or folder but documents, tests and settings of tools', async () => {
  const tracked = execFileSync('git', ['ls-tree', '--name-only', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' })
  const built = tracked
    .trim()
    .split('\n')
    .filter((name) => !NOT_BUILT.test(name))
  const folder = mkdtempSync(join(tmpdir(), 'fingerprint-'))
  try {
    for (const name of built) cpSync(join(projectRoot, name), join(folder, name), { recursive: true })
    const module = pathToFileURL(join(folder, 'server/cli/fingerprint.mjs')).href
    const { sourcesFingerprint } = (await import(module)) as { sourcesFingerprint: () => string }
    const seen = [sourcesFingerprint()]
    expect(sourcesFingerprint()).toBe(seen[0])
    for (const name of built) {
      const file = readdirSync(folder, { withFileTypes: true }).find((entry) => entry.name === name)!
      const inside = file.isFile() ? name : `${name}/${filesOf(join(folder, name))[0]}`
      appendFileSync(join(folder, inside), '\n')
      const fingerprint = sourcesFingerprint()
      expect(seen, inside).not.toContain(fingerprint)
      seen.push(fingerprint)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Paths of the files in a folder and below it, relative to it. */
const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
