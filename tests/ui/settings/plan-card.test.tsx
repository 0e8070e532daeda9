import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useFeeds } from '../../../src/features/dashboard/use-feeds'
import { PlanCard } from '../../../src/features/settings/plan-card'
import { seedCoins, seedLimit, seedWidgets, signIn, startLocalApp } from '../support/local-app'

function Fed() {
  useFeeds()
  return <PlanCard />
}

test('a guest has the free tier, and sees how much of it is used', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await seedLimit(app, 5)
  await seedWidgets(app, [[0, 1]])
  app.render(<Fed />)
  expect(await screen.findByText('1 of 5')).toBeDefined()
  expect(screen.getByText('Free Tier')).toBeDefined()
})

test('premium is called by its name', async () => {
  const app = await startLocalApp()
  await signIn(app)
  await seedWidgets(app, [])
  app.render(<Fed />)
  expect(await screen.findByText('Premium')).toBeDefined()
  expect(screen.getByText('0 of 50')).toBeDefined()
  expect(screen.getByText('20')).toBeDefined()
})
