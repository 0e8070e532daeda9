import { SOURCE_WORDS } from '../../state/source-words'
import { useConfig } from '../../state/use-config'
import { Facts } from '../../ui/facts'
import { linkClass } from '../../ui/link-button'
import { PageCard } from '../../ui/page'

/** Whom to ask, and where the figures come from; absent while this server has never been heard of. */
export function SupportCard() {
  const config = useConfig()
  if (config === undefined) return null
  return (
    <PageCard title="Support & Help">
      <Facts
        facts={[
          {
            name: 'Email',
            value: (
              <a className={linkClass} href={`mailto:${config.support_email}`}>
                {config.support_email}
              </a>
            ),
          },
          { name: 'Market data', value: SOURCE_WORDS[config.market_data.source] },
        ]}
      />
    </PageCard>
  )
}
