import { useAtomValue } from 'jotai'
import { KeyRound, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Passkey } from '../../contract/passkeys'
import type { User } from '../../contract/session'
import { isOpenedByPasskeys, LONGEST_PASSKEY_NAME, MAX_PASSKEYS } from '../../domain/account'
import { needsConnection } from '../../domain/error-message'
import { formatDay } from '../../domain/local-time'
import { accountAtom } from '../../state/account'
import { sentenceOf, useAccountAnswer, useFreshSignIn, useTellAccountChanged } from '../../state/calls'
import { useServices } from '../../state/services'
import { createPasskey, PASSKEYS_UNSUPPORTED, supportsPasskeys } from '../../state/sign-in-methods'
import { AlertDialog } from '../../ui/alert-dialog'
import { useOnline } from '../../ui/browser-state'
import { Button, LinkButton } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { ListIcon, PageCard } from '../../ui/page'
import { Skeleton } from '../../ui/skeleton'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import styles from './passkeys-card.module.css'
import { ShownOnceDialog } from './shown-once-dialog'

/** The user's passkeys; absent for guests. */
export function PasskeysCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null || account.expired) return null
  return (
    <PageCard title="Passkeys">
      <Passkeys key={account.owner} user={account.user} />
    </PageCard>
  )
}

function Passkeys({ user }: { readonly user: User }) {
  const { engine } = useServices()
  const withFreshSignIn = useFreshSignIn()
  const online = useOnline()
  const [asked] = useAccountAnswer('passkeys', {})
  const tellAccountChanged = useTellAccountChanged()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const known = asked.kind === 'known' ? asked.value : undefined
  const passkeys = known?.passkeys ?? []

  const renew = async () => {
    setProblem(null)
    const reply = await withFreshSignIn(() => engine.call('renewRecoveryCodes', {}))
    if (!reply.ok) return setProblem(sentenceOf(reply, 'New recovery codes could not be made.'))
    setCodes(reply.value.recovery_codes)
  }
  const remove = async ({ id }: Passkey) => {
    setProblem(null)
    const reply = await withFreshSignIn(() => engine.call('removePasskey', { id }))
    if (!reply.ok) setProblem(sentenceOf(reply, 'The passkey could not be removed.'))
  }
  const full =
    passkeys.length < MAX_PASSKEYS ? undefined : `You have ${MAX_PASSKEYS} passkeys, which is as many as there can be.`
  const unsupported = supportsPasskeys() ? full : PASSKEYS_UNSUPPORTED
  const cannotAdd = online ? unsupported : needsConnection('Adding and removing passkeys')
  return (
    <div className={stack.gap4}>
      <p className={text.prose}>
        {user.opens_by_passkey
          ? `Your account opens with a passkey alone${user.has_google ? ', or with Google and a passkey' : ''}. If you lose your passkeys, set a password by mail: it takes their place.`
          : 'A passkey is asked for at each login, besides your password or Google: a fingerprint, a face, a PIN or a security key. Nobody gets in with a stolen password alone.'}
      </p>
      {problem !== null && <FormNote tone="error">{problem}</FormNote>}
      <List passkeys={passkeys} disabled={!online} onRemove={remove} />
      {asked.kind === 'waiting' && online && <Skeleton width="100%" height="2.5rem" />}
      {asked.kind === 'failed' && online && (
        <FormNote tone="error">{sentenceOf(asked.failure, 'Your passkeys could not be loaded.')}</FormNote>
      )}
      {cannotAdd !== undefined ? (
        <p className={text.prose}>{cannotAdd}</p>
      ) : (
        known !== undefined && (
          <AddPasskey
            onAdded={(made) => {
              setCodes(made)
              tellAccountChanged()
            }}
          />
        )
      )}
      {known !== undefined && !isOpenedByPasskeys(user) && passkeys.length > 0 && (
        <CodesLeft count={known.recovery_codes_left} onRenew={online ? () => void renew() : null} />
      )}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </div>
  )
}

interface CodesLeftProps {
  readonly count: number
  /** Null: without a network no new ones can be made. */
  readonly onRenew: (() => void) | null
}

/** A password that is reset by mail takes the codes away: without new ones a lost passkey locks its owner out. */
function CodesLeft({ count, onRenew }: CodesLeftProps) {
  const renew = onRenew !== null && <LinkButton onClick={onRenew}>Make new codes</LinkButton>
  return count === 0 ? (
    <FormNote tone="error">
      You have no recovery codes. If you lose your passkeys, you cannot log in any more. {renew}
    </FormNote>
  ) : (
    <p className={text.prose}>
      {count} of your recovery codes can still be used. {renew}
    </p>
  )
}

interface ListProps {
  readonly passkeys: readonly Passkey[]
  readonly disabled: boolean
  readonly onRemove: (passkey: Passkey) => Promise<void>
}

function List({ passkeys, disabled, onRemove }: ListProps) {
  const [removing, setRemoving] = useState<Passkey | null>(null)
  if (passkeys.length === 0) return null
  return (
    <>
      <ul className={stack.gap4} aria-label="Your passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className={styles.item}>
            <ListIcon icon={KeyRound} />
            <div className={styles.facts}>
              <span className={styles.name}>{passkey.name}</span>
              <span className={styles.aside}>{usage(passkey)}</span>
            </div>
            <Button
              size="sm"
              icon={Trash2}
              aria-label={`Remove ${passkey.name}`}
              aria-haspopup="dialog"
              disabled={disabled}
              onClick={() => setRemoving(passkey)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {removing !== null && (
        <AlertDialog
          title="Remove passkey?"
          action="Remove"
          onCancel={() => setRemoving(null)}
          onConfirm={() => {
            setRemoving(null)
            void onRemove(removing)
          }}
        >
          <p>
            “{removing.name}” can no longer be used to log in.{' '}
            {passkeys.length === 1 && 'It is your last passkey: logging in asks for none from then on.'}
          </p>
        </AlertDialog>
      )}
    </>
  )
}

const day = (time: string) => formatDay(Date.parse(time))
const usage = ({ created_at, last_used_at: used }: Passkey): string =>
  `Added ${day(created_at)}, ${used === null ? 'not used yet' : `last used ${day(used)}`}`

const NOT_ADDED = 'The passkey could not be added.'

function AddPasskey({ onAdded }: { readonly onAdded: (codes: readonly string[] | null) => void }) {
  const { engine } = useServices()
  const withFreshSignIn = useFreshSignIn()
  const form = useRef<HTMLFormElement>(null)
  const { busy, problems, events } = useForm(['name'], {
    check: ({ name }) => ({
      name: name.trim() === '' ? 'Give the passkey a name, such as the device it is on.' : undefined,
    }),
    send: async ({ name }) => {
      const begun = await withFreshSignIn(() => engine.call('addPasskeyOptions', {}))
      if (!begun.ok) return { form: sentenceOf(begun, NOT_ADDED) }
      const made = await createPasskey(begun.value.options)
      if (!made.ok) return { form: made.problem }
      const { ticket } = begun.value
      const added = await engine.call('addPasskey', { ticket, name: name.trim(), attestation: made.value })
      if (!added.ok) return { form: sentenceOf(added, NOT_ADDED) }
      form.current?.reset()
      onAdded(added.value.recovery_codes)
      return null
    },
  })
  return (
    <form {...events} ref={form} className={stack.gap4} aria-label="Add a passkey">
      {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
      <div className={styles.row}>
        <Field label="Name of the new passkey" error={problems.name}>
          {(control) => (
            <TextInput
              {...control}
              name="name"
              maxLength={LONGEST_PASSKEY_NAME}
              placeholder="Such as My phone"
              autoComplete="off"
              readOnly={busy}
            />
          )}
        </Field>
        <SubmitButton busy={busy}>Add passkey</SubmitButton>
      </div>
    </form>
  )
}

/** The server keeps no more than hashes of them. */
function RecoveryCodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="Your recovery codes"
      kept="I have kept them"
      copied={codes.join('\n')}
      notCopied="The codes could not be copied. Write them down."
      onClose={onClose}
    >
      <p>
        If you lose your passkeys, each of these codes logs you in once. Keep them where you keep what matters; they are
        not shown again.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnceDialog>
  )
}
