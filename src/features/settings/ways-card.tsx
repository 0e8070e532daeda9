import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { accountAtom } from '../../state/account'
import { useAlertFeature } from '../../state/server-settings'
import { useOnline } from '../../ui/browser-state'
import { lateComponent } from '../../ui/late-component'
import { PageCard } from '../../ui/page'
import { ListFailed, ListPlaceholder } from './card-answer'

const WAYS = 'ways to be reached'

const WaysList = lateComponent(async () => (await import('./ways-list')).WaysList, {
  onFailure: 'notice',
  whileLoading: () => <ListPlaceholder what={WAYS} />,
})

/** The device does not keep this code: without a connection nothing in it could be done. */
const UNLOADED = { ok: false, status: 404, error_code: null, message: 'Reload the page and try again.' } as const

/** Mails, webhooks and chats that tell of alerts beside this app; absent where the server is older. */
export function WaysCard() {
  const account = useAtomValue(accountAtom)
  const hasWays = useAlertFeature('ways')
  const online = useOnline()
  const [missed, setMissed] = useState<'online' | 'offline' | null>(null)
  // The code is asked for with a connection only: a request that must fail would be an error of the page.
  const [isAsked, setAsked] = useState(online)
  if (online && !isAsked) setAsked(true)
  if (!hasWays || account === undefined || account.expired) return null
  const isMissing = !isAsked || missed === 'online' || (missed === 'offline' && !online)
  return (
    <PageCard title="Ways to reach you">
      {isMissing ? (
        <ListFailed
          what={WAYS}
          asked={{ kind: 'failed', failure: UNLOADED, pending: false }}
          onRetry={() => setMissed(null)}
        />
      ) : (
        <WaysList
          key={`${account.owner} ${missed}`}
          user={account.user}
          onMissing={() => setMissed(navigator.onLine ? 'online' : 'offline')}
        />
      )}
    </PageCard>
  )
}
