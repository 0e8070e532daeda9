import { useAtomValue, useSetAtom } from 'jotai'
import { accountAtom } from '../../state/account'
import { policyOpenAtom } from '../../state/panels'
import { Facts } from '../../ui/facts'
import { LinkButton } from '../../ui/link-button'
import { PageCard } from '../../ui/page'
import styles from './settings-page.module.css'

/** The texts that hold, each with its version where that is known. */
export function LegalCard() {
  const policies = useAtomValue(accountAtom)?.policies
  const read = useSetAtom(policyOpenAtom)
  const entry = (policy: 'terms' | 'privacy', name: string) => {
    const version = policies?.[policy].version
    const value = (
      <>
        {version !== undefined && <span className={styles.aside}>Version {version}</span>}
        <LinkButton onClick={() => read(policy)} aria-label={`Read ${name}`}>
          Read
        </LinkButton>
      </>
    )
    return { name, value }
  }
  return (
    <PageCard title="Legal">
      <Facts facts={[entry('terms', 'Terms of Use'), entry('privacy', 'Privacy Policy')]} />
    </PageCard>
  )
}
