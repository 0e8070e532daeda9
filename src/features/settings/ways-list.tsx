import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Channel } from '../../contract/channels'
import type { User } from '../../contract/session'
import { needsConnection } from '../../domain/error-message'
import { MINUTE } from '../../domain/granularity'
import { useAnswer } from '../../state/calls'
import { useAlertFeature } from '../../state/server-settings'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/browser-state'
import { Button } from '../../ui/button'
import { CardActions } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import { ListFailed, ListPlaceholder } from './card-answer'
import settingsStyles from './settings-page.module.css'
import { useWayActs, type WayStep } from './use-way-acts'
import { WayDialogs } from './way-dialogs'
import { WayRow } from './way-row'

const WAYS = 'ways to be reached'

/** How long a link to Telegram can be opened, and how often the page asks whether a chat has done so. Milliseconds. */
const LINK_LIFETIME = 5 * MINUTE
const ASK_EVERY = 3_000

/** A link is in one answer alone, so only the page that asked for it has it. */
interface ChatLink {
  readonly id: string
  readonly href: string
  /** Milliseconds at which it ends. */
  readonly until: number
}

/** The ways that the server has, which alone can change them. */
export function WaysList({ user }: { readonly user: User | null }) {
  const online = useOnline()
  const [asked, again] = useAnswer('listChannels', {})
  const [step, setStep] = useState<WayStep | null>(null)
  const act = useWayActs(setStep, again)
  const ways = asked.kind === 'known' ? asked.value : []
  const kinds = useOfferedKinds(user, ways)
  const [link, keepLink] = useChatLink(ways, asked.kind === 'known' ? asked.at : 0, again)

  if (asked.kind === 'waiting') return <ListPlaceholder what={WAYS} />
  if (asked.kind === 'failed') return <ListFailed what={WAYS} asked={asked} onRetry={again} />
  const free = online && step === null
  const Row = ways.length > 0 ? CardActions : 'div'
  return (
    <>
      {ways.length > 0 && (
        <ul aria-label="Ways to reach you" className={stack.gap5}>
          {ways.map((way) => (
            <WayRow
              key={way.id}
              way={way}
              now={asked.at}
              link={link?.id === way.id ? link.href : null}
              free={free}
              acting={step?.kind === 'acting' && step.id === way.id ? step.act : null}
              onAct={(what) => (what === 'remove' ? setStep({ kind: 'confirming', way }) : void act(what, way))}
            />
          ))}
        </ul>
      )}
      <Row className={settingsStyles.row}>
        <p className={settingsStyles.text}>{hint(online, ways.length)}</p>
        <Button
          icon={Plus}
          aria-haspopup="dialog"
          aria-disabled={!free || undefined}
          onClick={() => free && setStep({ kind: 'adding' })}
        >
          Add a way
        </Button>
      </Row>
      <WayDialogs
        step={step}
        kinds={kinds}
        email={user?.email}
        onAsked={again}
        onAdded={({ id, secret, link: href }) => {
          keepLink(id, href)
          setStep(secret === undefined ? null : { kind: 'told', secret })
        }}
        onRemove={(way) => void act('remove', way)}
        onClose={() => setStep(null)}
      />
    </>
  )
}

function hint(online: boolean, count: number): string {
  if (!online) return needsConnection('Changing and testing them')
  return count === 0
    ? 'Alerts reach you in this app and by its notifications alone. Add another way, for when a phone stays silent.'
    : 'Each alert goes to all that are on, beside the notifications of your devices.'
}

/** No kind that the server would refuse. A mail goes to the account's verified address, once. */
function useOfferedKinds(user: User | null, ways: readonly Channel[]): readonly Channel['kind'][] {
  const hasTelegram = useAlertFeature('telegram')
  const takesMail = user !== null && user.email_verified !== false && !ways.some(({ kind }) => kind === 'email')
  return (['webhook', 'email', 'telegram'] as const).filter(
    (kind) => kind === 'webhook' || (kind === 'email' ? takesMail : hasTelegram),
  )
}

/**
 * The link of the chat that was added last, while it can be opened. Until a chat has done so, the list is asked for again and
 * again: Telegram tells the server, not the page.
 */
function useChatLink(ways: readonly Channel[], at: number, again: () => void) {
  const { now } = useServices().commands
  const [kept, setKept] = useState<ChatLink | null>(null)
  const link = kept !== null && at < kept.until ? kept : null
  const isWaiting = ways.some(({ id, name }) => id === link?.id && name === null)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), ASK_EVERY)
    return () => clearInterval(timer)
  }, [isWaiting, again])
  const keep = (id: string, href: string | undefined) => {
    if (href !== undefined) setKept({ id, href, until: now() + LINK_LIFETIME })
  }
  return [link, keep] as const
}
