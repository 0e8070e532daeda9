import { describe, expect, test } from 'vitest'
import { setAlerts, updateWidget } from '../../src/db/commands/widgets'
import type { CommandContext } from '../../src/db/command'
import type { WidgetChange } from '../../src/db/view'
import type { WidgetId } from '../../src/domain/ids'
import { setThreshold } from '../support/set-threshold'
import { addPair, firstWidget, guestContext } from './support/people'

async function scene(before: WidgetChange = {}): Promise<{ context: CommandContext; id: WidgetId }> {
  const context = await guestContext()
  const id = await addPair(context)
  if (Object.keys(before).length > 0) await updateWidget(context, id, before)
  return { context, id }
}
const shown = async (context: CommandContext) => {
  const { notificationsEnabled, alerts } = await firstWidget(context)
  const { high, low } = alerts
  return [notificationsEnabled, high.threshold, high.armed, low.threshold, low.armed]
}
const bodies = async ({ db }: CommandContext) =>
  (await db.outbox.filter(({ kind }) => kind === 'widget.update@1').toArray()).map(({ payload }) => payload)

test('updateWidget of one side sets one side with its armed flag and leaves the other side alone', async () => {
  const { context, id } = await scene({ alerts: { low: { threshold: 1, armed: false } } })
  await setThreshold(context, id, 'high', 20, false)
  expect(await shown(context)).toEqual([false, 20, false, 1, false])
  await setThreshold(context, id, 'low', 2, true)
  expect(await shown(context)).toEqual([false, 20, false, 2, true])
})

test('updateWidget of one side clears the threshold of a side when the value is null', async () => {
  const { context, id } = await scene({ alerts: { high: { threshold: 20, armed: false } } })
  await setThreshold(context, id, 'high', null, true)
  expect(await shown(context)).toEqual([false, null, true, null, true])
})

test('updateWidget of one side refuses a pair that is no longer on the dashboard', async () => {
  const { context } = await scene()
  expect(await setThreshold(context, 'gone' as WidgetId, 'low', 1, true)).toEqual({
    ok: false,
    message: 'This pair is no longer on your dashboard.',
  })
})

test('setAlerts sets missing thresholds to 1.05 and 0.95 times the ratio, in one outbox entry', async () => {
  const { context, id } = await scene()
  await setAlerts(context, id, true, 20)
  expect(await shown(context)).toEqual([true, 21, true, 19, true])
  expect(await bodies(context)).toHaveLength(1)
})

test('setAlerts keeps the thresholds that are set, and disarms a side that the ratio is already beyond', async () => {
  const { context, id } = await scene({ alerts: { high: { threshold: 15 }, low: { threshold: 10 } } })
  await setAlerts(context, id, true, 20)
  expect(await shown(context)).toEqual([true, 15, false, 10, true])
})

test('setAlerts leaves a side armed whose threshold the ratio only reaches, and a disarmed side disarmed', async () => {
  const { context, id } = await scene({ alerts: { high: { threshold: 20 }, low: { threshold: 10, armed: false } } })
  await setAlerts(context, id, true, 20)
  expect(await shown(context)).toEqual([true, 20, true, 10, false])
})

test('setAlerts without a current ratio switches alerts on and presets no threshold', async () => {
  const { context, id } = await scene()
  await setAlerts(context, id, true, null)
  expect(await shown(context)).toEqual([true, null, true, null, true])
})

test('setAlerts at a ratio of 0 switches alerts on and presets no threshold', async () => {
  const { context, id } = await scene()
  await setAlerts(context, id, true, 0)
  expect(await shown(context)).toEqual([true, null, true, null, true])
})

test('setAlerts switches alerts off and leaves thresholds and armed flags alone', async () => {
  const { context, id } = await scene({ notificationsEnabled: true, alerts: { high: { threshold: 15 } } })
  await setAlerts(context, id, false, 20)
  expect(await shown(context)).toEqual([false, 15, true, null, true])
})

const alerts = { high: { threshold: 21.5, armed: true }, low: { threshold: 18.5, armed: false } }

test('updateWidget of both sides sets both thresholds with their armed flags in one outbox entry, and leaves the alert switch alone', async () => {
  const { context, id } = await scene()
  await updateWidget(context, id, { alerts })
  expect(await shown(context)).toEqual([false, 21.5, true, 18.5, false])
  expect(await bodies(context)).toEqual([
    {
      widget: id,
      body: {
        high_threshold: 21.5,
        high_threshold_active: true,
        low_threshold: 18.5,
        low_threshold_active: false,
      },
    },
  ])
})

test('updateWidget of both sides replaces the thresholds that were set before', async () => {
  const { context, id } = await scene({
    notificationsEnabled: true,
    alerts: { high: { threshold: 15 }, low: { threshold: 10 } },
  })
  await updateWidget(context, id, { alerts })
  expect(await shown(context)).toEqual([true, 21.5, true, 18.5, false])
})

test('updateWidget of both sides refuses a pair that is no longer on the dashboard', async () => {
  const { context } = await scene()
  expect(await updateWidget(context, 'gone' as WidgetId, { alerts })).toMatchObject({ ok: false })
})

describe('updateWidget with expected thresholds', () => {
  const alerts = { high: { threshold: 21.5, armed: true }, low: { threshold: 18.5, armed: false } }
  const before = { alerts: { high: { threshold: null, armed: true }, low: { threshold: 10, armed: false } } }
  const set = { high: 21.5, low: 18.5 }

  test('updateWidget with expected thresholds puts back both thresholds with their armed flags, and leaves the alert switch alone', async () => {
    const { context, id } = await scene({
      alerts: { low: { threshold: 10, armed: false } },
      notificationsEnabled: true,
    })
    await updateWidget(context, id, { alerts })
    expect(await updateWidget(context, id, before, set)).toMatchObject({ ok: true })
    expect(await shown(context)).toEqual([true, null, true, 10, false])
  })

  test('updateWidget with expected thresholds keeps a threshold that was changed since, and the other side with it', async () => {
    const { context, id } = await scene({ alerts: { low: { threshold: 10 } } })
    await updateWidget(context, id, { alerts })
    await setThreshold(context, id, 'low', 12, true)
    expect(await updateWidget(context, id, before, set)).toEqual({
      ok: false,
      message: 'The thresholds have changed since, so nothing was undone.',
    })
    expect(await shown(context)).toEqual([false, 21.5, true, 12, true])
  })

  test('updateWidget with expected thresholds refuses a pair that is no longer on the dashboard', async () => {
    const { context } = await scene()
    expect(await updateWidget(context, 'gone' as WidgetId, before, set)).toMatchObject({ ok: false })
  })
})
