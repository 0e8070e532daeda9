import { expect, test } from 'vitest'
import { concerns } from '../../../src/domain/concerns'
import { at, overviewOf } from './overviews'

const MINUTE = 60_000

test('the operator has no concerns where all is well', () => {
  expect(concerns(overviewOf())).toEqual([])
})

test.each([
  ['no price at all', { market: { newest_price_at: null } }, ['There are no prices.']],
  ['no price where nobody watches a coin', { market: { newest_price_at: null, coins_watched: 0 } }, []],
  ['prices as old as they may be', { market: { newest_price_at: at(10 * MINUTE) } }, []],
  ['older prices', { market: { newest_price_at: at(11 * MINUTE) } }, ['The newest price is from 11 min ago.']],
  ['a budget that is used up', { market: { provider_calls: 10_000 } }, ['The calls of this month are used up.']],
  [
    'a budget that will not last',
    { market: { provider_calls: 8_500 } },
    ['85 % of the calls are used, and 68 % of the month is gone.'],
  ],
  ['a budget that nearly runs ahead', { market: { provider_calls: 8_300 } }, []],
  ['no budget', { market: { provider_calls: 1_000_000, provider_budget: null } }, []],
  ['queues of a length that is nothing special', { queues: { crossings: 100, deliveries: 100, mails: 100 } }, []],
  [
    'long queues',
    { queues: { crossings: 101, deliveries: 10_000, mails: 200 } },
    ['101 crossings wait.', '10,000 or more deliveries wait.', '200 mails wait.'],
  ],
  ['a disk of which a tenth is free', { storage: { disk_free_bytes: 10_000_000_000 } }, []],
  [
    'a disk of which less is free',
    { storage: { disk_free_bytes: 9_999_000_000 } },
    ['The server’s disk is nearly full: 10.0 GB of 100.0 GB are free.'],
  ],
  [
    'a small disk with less than 1 GB free',
    { storage: { disk_bytes: 4_000_000_000, disk_free_bytes: 812_000_000 } },
    ['The server’s disk is nearly full: 812.0 MB of 4.0 GB are free.'],
  ],
  ['a disk that is not known', { storage: { disk_bytes: null, disk_free_bytes: null, log_bytes: null } }, []],
  [
    'a log of the embedded database without checkpoints',
    { storage: { log_bytes: 1_300_000_000 } },
    ['The database’s log has grown to 1.3 GB.'],
  ],
  ['a long log of PostgreSQL', { storage: { engine: 'postgres', log_bytes: 1_300_000_000 } }, []],
  ['no backup where none is scheduled', { storage: { last_backup_at: null, backup_every_seconds: null } }, []],
  ['no backup where one is scheduled', { storage: { last_backup_at: null } }, ['There is no backup yet.']],
  ['a backup that is late by half', { storage: { last_backup_at: at(36 * 60 * MINUTE) } }, []],
  [
    'a backup that is later',
    { storage: { last_backup_at: at(50 * 60 * MINUTE) } },
    ['The last backup is from 2 days ago.'],
  ],
  [
    'a clock that has jumped, and nothing confirms',
    {
      retention: { is_doubted: true, held_until: at(0), would_remove: { 'remove-guests': 1204, 'expire-feedback': 3 } },
    },
    [
      'The server’s clock has jumped, drifted or stood still: nothing is removed by its age until it is confirmed. Rows that would go: remove-guests 1,204, expire-feedback 3.',
    ],
  ],
  [
    'a clock that has been confirmed since it jumped',
    { retention: { held_until: '2026-11-28T14:05:06.789Z' } },
    ['The server’s clock has jumped, drifted or stood still: nothing is removed by its age before 2026-11-28T14:05Z.'],
  ],
  [
    'jobs that are late or fail',
    { queues: { late_jobs: ['prices', 'mails'], failing_jobs: ['reconcile-billing'] } },
    ['Late: prices, mails.', 'Failing: reconcile-billing.'],
  ],
  [
    'mails that cannot be sent',
    { queues: { failing_jobs: ['reconcile-billing', 'send-mails'] } },
    ['Mails cannot be sent: the log says why.', 'Failing: reconcile-billing.'],
  ],
] as const)('the operator’s concerns are exactly the expected sentences for %s', (_what, parts, sentences) => {
  const found = concerns(overviewOf(parts as Parameters<typeof overviewOf>[0]))
  expect(found.map(({ sentence }) => sentence)).toEqual(sentences)
})

test('the kinds of concerns stay while their numbers change, and name the jobs that are late or fail', () => {
  const kinds = (age: number, failing: readonly string[]) =>
    concerns(
      overviewOf({
        market: { newest_price_at: at(age * MINUTE) },
        queues: { failing_jobs: [...failing], mails: 100 + age },
      }),
    ).map(({ kind }) => kind)
  expect(kinds(11, ['a', 'b'])).toEqual(['old-prices', 'many-mails', 'failing a,b'])
  expect(kinds(90, ['a', 'b'])).toEqual(kinds(11, ['a', 'b']))
  expect(kinds(90, ['a'])).not.toEqual(kinds(11, ['a', 'b']))
})
