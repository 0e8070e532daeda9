import { routes } from '../../src/contract/routes'
import { INITIAL_SETTINGS } from '../../src/db/widget-settings'

/**
 * Sets every field that the contract lets a user change to something else than a new pair has. The fields are those of the
 * schema, so that a new one is among them; a snooze is none of them.
 */
export function everySetting(): typeof INITIAL_SETTINGS {
  const fields = Object.entries(routes.updateWidget.body.shape).filter(([name]) => !name.startsWith('snoozed_'))
  const values = fields.map(([name, schema], place) => {
    const initial = INITIAL_SETTINGS[name as keyof typeof INITIAL_SETTINGS]
    const other = [true, false, 20 - place, (20 - place) / 100, `Words ${place}`].find(
      (value) => value !== initial && schema.safeParse(value).success,
    )
    if (other === undefined) throw new Error(`No other value of ${name} is known.`)
    return [name, other] as const
  })
  return Object.fromEntries(values) as unknown as typeof INITIAL_SETTINGS
}
