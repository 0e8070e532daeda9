import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** CONTRIBUTING.md, "How the database is reached". */
const RAW = /^server\/(db|backups|services\/market|services\/alerts|services\/live)\//

test('statements are given to node-postgres as text only where CONTRIBUTING.md says so', () => {
  const files = execFileSync('git', ['ls-files', 'server'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const raw = files.filter(
    (file) => file.endsWith('.ts') && /\b(pool|client)\.query\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(raw.length).toBeGreaterThan(5)
  expect(raw.filter((file) => !RAW.test(file))).toEqual([])
})

/** Files whose transactions change nothing that has a revision: queues, counters, jobs, and owners who go altogether. */
const WITHOUT_REVISIONS = [
  'server/db/open.ts',
  'server/services/accounts/log-in.ts',
  'server/services/accounts/register.ts',
  'server/services/admin/tell-operators.ts',
  'server/services/channels/record-message.ts',
  'server/services/push/receipts.ts',
  'server/services/push/silent-devices.ts',
  'server/services/mail/queued-mail.ts',
  'server/services/removal-job.ts',
  'server/services/retention.ts',
  'server/services/revisions.ts',
  'server/services/sessions/refresh-token.ts',
  'server/services/widgets/arrange.ts',
]

test('services open transactions by commitChange, which raises revisions, but for the listed ones (decision 0132)', () => {
  const files = execFileSync('git', ['ls-files', 'server'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  const own = files.filter(
    (file) => file.endsWith('.ts') && /\.transaction\(/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(own.filter((file) => !WITHOUT_REVISIONS.includes(file))).toEqual([])
})
