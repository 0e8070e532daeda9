import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleServer } from '../../server/cli/server-bundle.mjs'
import { writeBackup } from '../../server/backups/write-backup'
import { openDatabase } from '../../server/db/open'
import { temporaryFolder } from '../server/support/for-file'
import { testCache, testProgramFiles } from '../server/support/program-files'

/** Users, each with five pairs, a checkpoint and a crossing of each. */
const USERS = Number(process.env['USERS'] ?? 20_000)
const LARGEST_MB = 400
const root = temporaryFolder()

/* A backup of some 600,000 rows at full size. */
const FILL = [
  `INSERT INTO owners (id, kind, created_at) SELECT md5('u' || n)::uuid, 'user', now() FROM generate_series(1, ${USERS}) n`,
  `INSERT INTO users (id, email, password_hash)
   SELECT md5('u' || n)::uuid, 'user' || n || '@example.com', '$argon2id$v=19$m=19456,t=2,p=1$' || md5(n::text) || md5('h' || n)
   FROM generate_series(1, ${USERS}) n`,
  `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT 'coin-' || n, 'ethereum' FROM generate_series(0, 4) n`,
  `INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, notifications_enabled, is_active, created_at)
   SELECT users.id, pairs.id % 5, coin_a_id, coin_b_id, pairs.id, 11, true, true, now() FROM users, pairs`,
  `INSERT INTO checkpoints (widget_id, owner_id, ratio, timestamp, is_default, display_order, created_at)
   SELECT id, owner_id, 10.123456789, now(), true, 0, now() FROM widgets`,
  `INSERT INTO alert_events (owner_id, widget_id, coin_a_id, coin_b_id, coin_a_symbol, coin_b_symbol, side, epoch, ratio, threshold, crossed_at)
   SELECT owner_id, id, coin_a_id, coin_b_id, 'a', 'b', 'high', 0, 11.5, 11, now() FROM widgets`,
  `INSERT INTO market_coins (source, id, symbol, name, listed_at) SELECT 'simulated', 'c' || n, 's', 'Coin', n FROM generate_series(1, 1000) n`,
  `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
   SELECT key, 0, n, n / 3.0::float8, 1 FROM market_coins, generate_series(1, ${(USERS * 3) / 200}) n`,
]

/** Loaded into the program: says at its end how much memory it has held at most. */
const SAY_PEAK = `import { readFileSync } from 'node:fs'
process.on('exit', () => console.log(/VmHWM.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`

test.skipIf(process.platform !== 'linux')(
  `a restore of ${USERS} users with all that is theirs holds at most ${LARGEST_MB} MB of memory`,
  { timeout: 3_600_000 },
  async () => {
    const source = { DATABASE_URL: undefined, DATA_DIR: join(root, 'source') }
    const database = await openDatabase(source, testProgramFiles(), { durable: false })
    for (const statement of FILL) await database.pool.query(statement)
    await database.close()
    const file = join(root, 'large.gz')
    await writeBackup(source, testProgramFiles(), file)
    // As npm run build makes it, with the empty database that a restore copies.
    const built = join(testCache, 'restore-memory')
    await bundleServer(built)
    const loaded = `data:text/javascript,${encodeURIComponent(SAY_PEAK)}`
    const said = execFileSync(process.execPath, ['--import', loaded, join(built, 'restore.js'), file], {
      env: { PATH: process.env['PATH'], DATA_DIR: join(root, 'restored'), MARKET_DATA: 'simulated' },
      encoding: 'utf8',
    })
    const peak = Math.max(...[...said.matchAll(/VmHWM:\s+(\d+) kB/g)].map(([, kilobytes]) => Number(kilobytes))) / 1_000
    console.log(`${Math.round(peak)} MB\n${said}`)
    expect(peak).toBeLessThan(LARGEST_MB)
  },
)
