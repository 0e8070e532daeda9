import { randomBytes } from 'node:crypto'
import { openDatabase } from '../../../server/db/open'
import type { HeavySetup } from './heavy-kill'

/** A process whose writers change a row each, over and over, and say what was acknowledged, until it is killed. */
const { DATA_DIR, pgliteWorker, migrations, writers, size } = JSON.parse(process.argv[2] ?? '') as HeavySetup
const { pool } = await openDatabase(
  { DATABASE_URL: undefined, DATA_DIR },
  { pgliteWorker: new URL(pgliteWorker), migrations },
)
await pool.query('CREATE TABLE heavy (writer int PRIMARY KEY, number int NOT NULL, bytes bytea STORAGE EXTERNAL)')

const write = async (writer: number) => {
  await pool.query(`INSERT INTO heavy VALUES ($1, 0, '')`, [writer])
  for (let number = 1; ; number++) {
    await pool.query('UPDATE heavy SET number = $2, bytes = $3 WHERE writer = $1', [writer, number, randomBytes(size)])
    process.send?.({ writer, number })
  }
}
// VACUUM lets the space of replaced rows be used again, as the server's own job does.
setInterval(() => void pool.query('VACUUM heavy'), 5_000)
await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
