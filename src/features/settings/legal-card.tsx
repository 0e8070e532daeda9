import { useAtomValue, useSetAtom } from 'jotai'
import { accountAtom } from '../../state/account'
import { policyOpenAtom } from '../../state/panels'
import { LinkButton } from '../../ui/link-button'
import { PageCard } from '../../ui/page'
import { Facts } from '../../ui/facts'

/** The texts that hold, each with its version where that is known. */
export function LegalCard() {
  const policies = useAtomValue(accountAtom)?.policies
  const read = useSetAtom(policyOpenAtom)
  const entry = (policy: 'terms' | 'privacy', name: string) => {
    const version = policies?.[policy].version
    return {
      name,
      value: (
        <LinkButton onClick={() => read(policy)} aria-label={`Read ${name}`}>
          {version ?? 'Read'}
        </LinkButton>
      ),
    }
  }
  return (
    <PageCard title="Legal">
      <Facts facts={[entry('terms', 'Terms of Use'), entry('privacy', 'Privacy Policy')]} />
    </PageCard>
  )
}
