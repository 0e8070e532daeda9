import { useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Policies } from '../../contract/settings'
import { openDialogAtom } from '../../state/open-dialogs'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button, LinkButton } from '../../ui/button'
import checkBox from '../../ui/check-box.module.css'
import { FormNote, SubmitButton, useForm } from '../../ui/form'
import { Skeleton } from '../../ui/skeleton'
import { SoloPage } from '../../ui/page'
import styles from './policy-acceptance.module.css'
import { POLICY_NAMES, useLoadPolicies } from './policy-viewer'

const NOT_SAVED = 'Failed to save your acceptance. Please try again.'
const NOT_RETRIEVED = 'Could not retrieve policy data.'

interface PolicyAcceptanceProps {
  readonly email: string
  /** Null until they have been loaded once. */
  readonly policies: Policies | null
  /** The user has accepted an earlier version. */
  readonly again: boolean
  /** A user who does not accept them may want to delete the account. */
  readonly onDelete: () => void
}

/** Takes the place of the app for a user who has yet to accept the policies in force. */
export function PolicyAcceptance({ email, policies, again, onDelete }: PolicyAcceptanceProps) {
  const openDialog = useSetAtom(openDialogAtom)
  const [loading, load] = useLoadPolicies()
  return (
    <SoloPage
      title={again ? 'Our policies have changed' : 'Before you start'}
      lead="Read and accept the Terms of Use and the Privacy Policy to go on."
    >
      {policies !== null ? (
        // By version: a tick belongs to the version that the user has read.
        <AcceptanceForm key={`${policies.terms.version} ${policies.privacy.version}`} policies={policies} />
      ) : loading === 'failed' ? (
        <>
          <FormNote tone="error">{NOT_RETRIEVED}</FormNote>
          <Button onClick={load}>Try again</Button>
        </>
      ) : (
        <Skeleton width="100%" height="7rem" />
      )}
      <div className={styles.who}>
        <p>
          Logged in as <strong>{email}</strong>
        </p>
        <p className={styles.exits}>
          <LinkButton onClick={() => openDialog({ kind: 'log-out' })}>Log out</LinkButton>
          <LinkButton onClick={onDelete}>Delete account</LinkButton>
        </p>
      </div>
    </SoloPage>
  )
}

function AcceptanceForm({ policies }: { readonly policies: Policies }) {
  const { engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [accepted, setAccepted] = useState({ terms: false, privacy: false })
  const { busy, problems, events } = useForm([], {
    send: async () => {
      const [terms, privacy] = [policies.terms.version, policies.privacy.version]
      const result = await engine.call('acceptPolicies', { terms, privacy })
      if (result.ok) return null
      // Other versions are in force, whose form has replaced this one: a toast says so.
      if (result.status === 409) showToast({ kind: 'info', message: result.message })
      return { form: NOT_SAVED }
    },
  })
  return (
    <form {...events} className={styles.form} aria-label="Accept policies">
      {(['terms', 'privacy'] as const).map((policy) => (
        <PolicyRow
          key={policy}
          policy={policy}
          version={policies[policy].version}
          checked={accepted[policy]}
          onCheck={(checked) => setAccepted({ ...accepted, [policy]: checked })}
        />
      ))}
      {problems.form !== undefined && <FormNote tone="error">{problems.form}</FormNote>}
      <SubmitButton busy={busy} disabled={!accepted.terms || !accepted.privacy}>
        Accept and Continue
      </SubmitButton>
    </form>
  )
}

interface PolicyRowProps {
  readonly policy: keyof Policies
  readonly version: string
  readonly checked: boolean
  readonly onCheck: (checked: boolean) => void
}

function PolicyRow({ policy, version, checked, onCheck }: PolicyRowProps) {
  const openDialog = useSetAtom(openDialogAtom)
  const name = POLICY_NAMES[policy]
  return (
    <div className={styles.row}>
      <label className={styles.label}>
        <input
          type="checkbox"
          name={policy}
          checked={checked}
          onChange={(event) => onCheck(event.currentTarget.checked)}
          className={checkBox.box}
        />
        <span>
          I accept the {name}
          <span className={styles.version}>Version {version}</span>
        </span>
      </label>
      <LinkButton aria-label={`Read the ${name}`} onClick={() => openDialog({ kind: 'policy', policy })}>
        Read
      </LinkButton>
    </div>
  )
}
