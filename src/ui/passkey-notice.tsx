import { Link } from 'wouter'
import { FormNote } from './form-note'
import { linkClass } from './link-button'

/** Urges a superuser who has no passkey to add one. */
export function PasskeyNotice() {
  return (
    <FormNote tone="info">
      You can see and change every account, and a password alone protects yours.{' '}
      <Link href="/settings" className={linkClass}>
        Add a passkey in Settings
      </Link>
      .
    </FormNote>
  )
}
