import { pushHosts } from '../../../server/adapters/push/push-hosts'
import { pushSender } from '../../../server/adapters/push/push-sender'
import { readSpotPrices } from '../../../server/adapters/market-data/coingecko/answers'
import { smtpTransport } from '../../../server/adapters/mail-transport'
import { openDatabase } from '../../../server/db/open'
import { loadEnv } from '../../../server/env'
import { createLogger } from '../../../server/logger'
import { deliverToChannels } from '../../../server/services/channels/deliver'
import { channelSender } from '../../../server/services/channels/send'
import { deliverMails } from '../../../server/services/mail/deliver'
import { priceStore } from '../../../server/services/market/prices/price-store'
import { deliverAlerts } from '../../../server/services/push/deliver'
import { vapidOf } from '../../../server/services/push/vapid-keys'
import { utcDayOf } from '../../../src/domain/daily-matrix'
import { MINUTE } from '../../../src/domain/granularity'
import { applyEdit } from './apply-edit'
import { alertTape } from './alert-tape'
import type { AlertDone, WorkerSetup } from './alert-workers'
import { rulesTape, tapedCloses } from './rules-tape'
import { TEST_VAPID } from './test-vapid'

/**
 * A process that makes the tape's edits, stores its prices and sends what they set off, an update at a time, whenever it is told
 * the update's number; of numbers beyond the tape it only sends.
 */
const setup = JSON.parse(process.argv[2] ?? '') as WorkerSetup
const { seed, length, widgets, pgliteWorker, migrations, pushHost, variables } = setup
const steps = alertTape(seed, length)
const { edits } = rulesTape(seed, widgets, length)
const logger = createLogger({ NODE_ENV: 'production', LOG_LEVEL: 'warn' })
const database = await openDatabase(
  setup.database,
  { pgliteWorker: new URL(pgliteWorker), migrations },
  { durable: false, logger },
)
let now = 0
let matrix = tapedCloses(now)
const clock = (): number => now
/** The same ones all day. */
const closes = async () => {
  if (matrix.firstDay + matrix.days !== utcDayOf(now)) matrix = tapedCloses(now)
  return matrix
}
const store = priceStore({ pool: database.pool, source: 'coingecko', clock, logger, closes })
const env = loadEnv({ ...TEST_VAPID, ...variables })
const sending = { database, env, clock, logger }
const phones = pushSender({ vapid: vapidOf(env), hosts: pushHosts([pushHost]), clock: Date.now })
const channels = channelSender(env, { clock })
const transport = smtpTransport(env.SMTP_URL ?? '', env.MAIL_FROM ?? 'alerts@example.com')

async function update(step: number): Promise<AlertDone> {
  const made: [string, string][] = []
  const taped = steps[step]
  if (taped === undefined) now += 10 * MINUTE
  else {
    now = taped.now
    for (const edit of edits[step]!) {
      const rule = await applyEdit(database, edit, now)
      if (rule !== null) made.push([edit.op, rule])
    }
    await store(readSpotPrices(taped.answer, now), { history: true })
  }
  await Promise.all([
    deliverAlerts({ ...sending, sender: phones }),
    deliverToChannels({ ...sending, sender: channels }),
  ])
  // The former may have fanned alerts out after the latter had ended.
  await deliverToChannels({ ...sending, sender: channels })
  await deliverMails({ ...sending, transport })
  return { step, made }
}

process.on('message', (step: number) => {
  void update(step).then((done) => process.send?.(done))
})
process.send?.({ step: 'ready', made: [] } satisfies AlertDone)
