import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** CONTRIBUTING.md, "How the database is reached". */
const RAW = /^server\/(db|backups|services\/market|services\/alerts)\//

test('statements are given to node-postgres as text only where CONTRIBUTING.md says so', () => {
  const files = execFileSync('git', ['ls-files', 'server'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const raw = files.filter(
    (file) => file.endsWith('.ts') && /\b(pool|client)\.query\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(raw.length).toBeGreaterThan(5)
  expect(raw.filter((file) => !RAW.test(file))).toEqual([])
})
