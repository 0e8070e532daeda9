import { Link } from 'wouter'
import { buttonClass } from '../../ui/button'
import { Page } from '../../ui/page'

export function NotFoundPage() {
  return (
    <Page title="There is no such page" lead="The address may be old or mistyped. Your pairs are on the dashboard.">
      <div>
        <Link href="/" className={buttonClass({ variant: 'primary' })}>
          Go to the dashboard
        </Link>
      </div>
    </Page>
  )
}
