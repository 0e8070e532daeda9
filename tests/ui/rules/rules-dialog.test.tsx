import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { updateWidget } from '../../../src/db/commands/widgets'
import { HOUR } from '../../../src/domain/granularity'
import { configAtom } from '../../../src/state/server-settings'
import { RulesDialog } from '../../../src/features/rules/rules-dialog'
import { Toasts } from '../../../src/features/toasts/toasts'
import { findDialog, openDialogsAtom } from '../../../src/state/open-dialogs'
import { useAtomValue } from 'jotai'
import { appWithPair } from '../support/app-with-pair'
import { configOf } from '../support/config'
import { fed, FedDashboard } from '../support/fed'
import { START } from '../support/local-app'
import { waitingChanges } from '../widget-card/one-card'

/** The dialog as src/app/dialog-stack.tsx draws it, without the wait for its code. */
function OpenRules() {
  const dialog = findDialog(useAtomValue(openDialogsAtom), 'rules')
  return dialog && <RulesDialog widgetId={dialog.widget} onClose={() => undefined} />
}

/** A guest's BTC / ETH: its card, or the dialog of its alerts. */
async function open(screenOf: 'card' | 'dialog', alert_features: string[] = ['rules']) {
  const { app, id } = await appWithPair({
    prices: { 0: 10, 1: 5 },
    seed: (app) => writeMeta(app.db, 'config', { config: configOf({ alert_features }), fetched_at: START }),
  })
  app.render(
    <>
      {screenOf === 'card' ? <FedDashboard /> : fed(<RulesDialog widgetId={id} onClose={() => undefined} />)}
      <OpenRules />
      <Toasts />
    </>,
  )
  const button = (name: string) => screen.findByRole('button', { name })
  return { app, id, button, changes: () => waitingChanges(app) }
}
const card = async () => within(await screen.findByRole('article', { name: 'BTC / ETH' }))
const retype = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

test('“tell me when it moves 5 % in a day” is saved by three presses from the card, and the card counts it', async () => {
  const { id, button, changes } = await open('card')
  await userEvent.click(await (await card()).findByRole('button', { name: 'Alerts of BTC / ETH' }))
  await screen.findByRole('dialog', { name: 'BTC / ETH - Alerts' })
  await userEvent.click(await button('Add alert'))
  expect(screen.getByText('Moves 5 % within 24 h.')).toBeDefined()
  await userEvent.click(await button('Save alert'))
  await screen.findByText('Moves 5 % within 24 h')
  const body = { kind: 'move', level: 5, window: '24h', margin: 1.25, hold_minutes: 0, repeat: 'each' }
  expect(await changes()).toMatchObject([
    {
      kind: 'rule.create@1',
      payload: { widget: id, body: { ...body, loudness: 'buzz', note: null, expires_at: null } },
    },
  ])
  expect((await card()).getByRole('button', { name: 'Alerts of BTC / ETH' }).dataset['count']).toBe('1')
})

test('an alert of another kind is saved with all that “More” holds', async () => {
  const { button, changes } = await open('dialog')
  await userEvent.click(await button('Add alert'))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Deviations below')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Window' }), '180')
  const spin = (name: string) => screen.getByRole('spinbutton', { name })
  retype(spin('Level'), '−1,5')
  expect(screen.getByText('Below 1.5 deviations below its mean of 180 days.')).toBeDefined()
  await userEvent.click(await button('More'))
  retype(spin('Margin'), '0.5')
  retype(spin('Hold'), '30')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Repeat' }), 'Once')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Loudness' }), 'Without a sound')
  retype(screen.getByLabelText('Ends after'), '2027-01-31')
  retype(screen.getByRole('textbox', { name: 'Note' }), 'Buy back')
  await userEvent.click(await button('Save alert'))
  expect(await screen.findByText(/^After 30 min beyond, once, until .*2027, without a sound/)).toBeDefined()
  const [change] = await changes()
  expect(change?.payload).toMatchObject({
    body: {
      kind: 'z_below',
      level: -1.5,
      window: 180,
      margin: 0.5,
      hold_minutes: 30,
      repeat: 'once',
      loudness: 'quiet',
      note: 'Buy back',
      expires_at: new Date('2027-01-31T23:59:59').toISOString(),
    },
  })
})

test('a level that is none is explained and not saved', async () => {
  const { button, changes } = await open('dialog')
  await userEvent.click(await button('Add alert'))
  const level = screen.getByRole('spinbutton', { name: 'Level' })
  for (const [text, problem] of [
    ['much', 'A number from 0.01 to 1000 %.'],
    ['0', 'The level must lie between 0.01 and 1000 %.'],
  ] as const) {
    retype(level, text)
    await userEvent.click(await button('Save alert'))
    expect(screen.getByRole('alert').textContent).toBe(problem)
    expect(document.activeElement).toBe(level)
  }
  expect(await changes()).toEqual([])
})

test('an alert is disarmed by its switch, and removed with Undo', async () => {
  const { app, button, changes } = await open('dialog')
  await userEvent.click(await button('Add alert'))
  await userEvent.click(await button('Save alert'))
  const armed = () => screen.findByRole('switch', { name: 'Armed' })
  await userEvent.click(await armed())
  await waitFor(async () => expect(((await armed()) as HTMLInputElement).checked).toBe(false))
  expect((await changes()).map(({ kind }) => kind)).toEqual(['rule.create@1', 'rule.update@1'])
  await userEvent.click(await button('Remove alert'))
  await screen.findByText(/^No alerts beside the two thresholds/)
  expect(await app.db.outbox.count()).toBe(0)
  await userEvent.click(await button('Undo'))
  await armed()
  expect((await changes()).map(({ kind }) => kind)).toEqual(['rule.create@1', 'rule.update@1'])
})

test('a server without rules offers none on the card', async () => {
  await open('card', [])
  expect((await card()).queryByRole('button', { name: 'Alerts of BTC / ETH' })).toBeNull()
})

test('a pair is snoozed for an hour in its dialog; card and list say until when, and the card resumes it', async () => {
  const { app, id, button, changes } = await open('card', ['rules', 'snooze'])
  await userEvent.click(await (await card()).findByRole('button', { name: 'Alerts of BTC / ETH' }))
  await userEvent.click(await button('Snooze'))
  const offered = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  // No alert of the pair has fired: it cannot be back.
  expect(offered()).toEqual(['For 1 hour', expect.stringMatching(/^Until tomorrow, 08:00$/)])
  await userEvent.click(screen.getByRole('menuitem', { name: 'For 1 hour' }))
  expect(document.activeElement).toBe(await button('Resume'))
  expect(screen.getByText(/^Snoozed until \d\d:\d\d\. What fires is listed under Alerts and not sent\.$/)).toBeDefined()
  const body = { snoozed_until: new Date(app.services.commands.now() + HOUR).toISOString(), snoozed_until_back: false }
  expect(await changes()).toMatchObject([{ kind: 'widget.update@1', payload: { widget: id, body } }])
  await act(() =>
    updateWidget(app.services.commands, id, { notificationsEnabled: true, alerts: { high: { threshold: 20 } } }),
  )
  const line = await (await card()).findByText(/^Snoozed until \d\d:\d\d:/)
  const box = (await card()).getByRole('button', { name: 'High threshold' })
  await within(box).findByText('Snoozed')
  expect(within(box).getByText('20.0000, armed, snoozed')).toBeDefined()
  await userEvent.click(within(line).getByRole('button', { name: 'resume alerts of BTC / ETH' }))
  await waitFor(async () => expect((await card()).queryByText(/^Snoozed/)).toBeNull())
  expect(within(box).getByText('Armed')).toBeDefined()
  expect(await changes()).toMatchObject([{ payload: { body: { snoozed_until: null, snoozed_until_back: false } } }])
})

test('a pair with an alert that has fired can be snoozed until it is back, which a server without snoozes is not asked for', async () => {
  const { app, id, button, changes } = await open('dialog', ['rules', 'snooze'])
  await act(() => updateWidget(app.services.commands, id, { alerts: { high: { threshold: 1, armed: false } } }))
  await userEvent.click(await button('Snooze'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Until it is back, 7 days at most' }))
  expect(await screen.findByText(/^Snoozed until it is back\./)).toBeDefined()
  expect(await changes()).toMatchObject([{ payload: { body: { snoozed_until_back: true, high_threshold: 1 } } }])
  await act(async () => app.store.set(configAtom, configOf({ alert_features: ['rules'] })))
  await userEvent.click(await button('Resume'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Snooze' })).toBeNull())
})

test('the dialog says with each armed alert that it is not judged while a price is old, and the card since when, unless all prices are old', async () => {
  const { app, button } = await open('card')
  await userEvent.click(await (await card()).findByRole('button', { name: 'Alerts of BTC / ETH' }))
  await userEvent.click(await button('Add alert'))
  await userEvent.click(await button('Save alert'))
  await screen.findByText('Moves 5 % within 24 h')
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/^Tells you /).textContent).toMatch(
    /^Tells you (in the open app|here only while the app is open)$/,
  )
  expect(dialog.queryByText(/not judged while a price is old/)).toBeNull()
  const age = async (hours: Readonly<Record<number, number>>) => {
    const row = (await app.db.prices.get('usd'))!
    const prices = Object.fromEntries(
      Object.entries(row.prices).map(([coin, price], i) => [
        coin,
        { ...price, provider_time: START - (hours[i] ?? 0) * HOUR },
      ]),
    ) as typeof row.prices
    await act(() => app.db.prices.put({ ...row, prices }))
  }
  await age({ 1: 2 })
  expect(await dialog.findByText(/^Armed, not judged while a price is old/)).toBeDefined()
  expect(await (await card()).findByText(/^Not judged since .*: the price of ETH is 2\sh old$/)).toBeDefined()
  await age({ 0: 3, 1: 3 })
  await waitFor(async () => expect((await card()).queryByText(/^Not judged since/)).toBeNull())
})
