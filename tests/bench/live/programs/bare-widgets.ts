// A Fastify server whose one handler answers GET /api/v1/widgets of a guest: the statements of ours, named, straight through
// pg, and JSON.stringify. It shows how many requests the statements themselves allow on this machine.
import { createHash } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import { Pool } from 'pg'
import type { Checkpoint } from '../../../../src/contract/checkpoint'
import type { Widget } from '../../../../src/contract/widget'

// As many connections, and set up as ours are.
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10, options: '-c jit=off' })

const OWNER = { name: 'owner', text: 'SELECT id, last_seen FROM owners WHERE anonymous_hash = $1' }
const WIDGETS = {
  name: 'widgets',
  text: `SELECT w.id, w.display_order, w.coin_a_id, w.coin_b_id, w.high_threshold, w.low_threshold, w.notifications_enabled,
      w.high_threshold_active, w.low_threshold_active, w.high_epoch, w.low_epoch, w.is_active, w.created_at, w.created_by_op,
      c.id, c.ratio, c.timestamp, c.is_default, c.display_order, c.created_at, c.created_by_op
    FROM widgets w LEFT JOIN checkpoints c ON c.widget_id = w.id
    WHERE w.owner_id = $1 ORDER BY w.display_order, c.display_order`,
}

type Row = [
  ...[string, number, string, string, number | null, number | null, boolean, boolean, boolean, number, number, boolean],
  ...[Date, string | null],
  ...[string | null, number, Date, boolean, number, Date, string | null],
]

function widgetsOf(rows: readonly Row[]): Widget[] {
  const found = new Map<string, Widget>()
  for (const row of rows) {
    let widget = found.get(row[0])
    if (widget === undefined) {
      widget = {
        id: row[0] as Widget['id'],
        display_order: row[1],
        coin_a_id: row[2] as Widget['coin_a_id'],
        coin_b_id: row[3] as Widget['coin_b_id'],
        high_threshold: row[4],
        low_threshold: row[5],
        notifications_enabled: row[6],
        high_threshold_active: row[7],
        low_threshold_active: row[8],
        high_epoch: row[9],
        low_epoch: row[10],
        alert_margin: 0,
        alert_hold_minutes: 0,
        is_active: row[11],
        created_at: row[12].toISOString(),
        created_by_op: row[13] as Widget['created_by_op'],
        checkpoints: [],
      }
      found.set(row[0], widget)
    }
    if (row[14] === null) continue
    widget.checkpoints.push({
      id: row[14] as Checkpoint['id'],
      widget_id: widget.id,
      ratio: row[15],
      timestamp: row[16].toISOString(),
      is_default: row[17],
      display_order: row[18],
      created_at: row[19].toISOString(),
      user_id: null,
      created_by_op: row[20] as Checkpoint['created_by_op'],
    })
  }
  return [...found.values()]
}

async function answer(request: FastifyRequest): Promise<Widget[]> {
  const id = String(request.headers['x-anonymous-user-id'])
  const hash = createHash('sha256').update(id).digest('base64url')
  const owner = await pool.query<{ id: string }>({ ...OWNER, values: [hash] })
  if (owner.rows[0] === undefined) return []
  const rows = await pool.query<Row>({ ...WIDGETS, values: [owner.rows[0].id], rowMode: 'array' })
  return widgetsOf(rows.rows)
}

const app = Fastify().route({ method: 'GET', url: '/api/v1/widgets', handler: answer })
console.log(`Ready at ${await app.listen({ host: '127.0.0.1', port: 0 })}`)
