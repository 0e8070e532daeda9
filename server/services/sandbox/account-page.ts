import { escapeHtml } from '../mail/letter'
import { sandboxPage } from './page'

/** Where somebody says who they are. @param email what to begin with */
export const accountPage = (email: string): string =>
  sandboxPage('Choose a Google account', [
    'This page stands in for Google. Log in as whoever you like: the address counts as verified, and is asked for nothing else.', // prettier-ignore
    {
      html: `<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="email" value="${escapeHtml(email)}" autofocus>
<p><label><input name="elsewhere" type="checkbox"> The mailbox is not run by Google: an account that has this address already is not linked by itself</label></p>
<button class="main" name="decision" value="continue">Continue</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</form>`,
    },
  ])

/** For whoever comes back to a sign-in that is over. */
export const outdatedPage = (): string =>
  sandboxPage('This login is over', ['It took too long, or was finished already. Go back to the app and begin again.', { html: '<p><a href="/login">Back to the app</a></p>' }]) // prettier-ignore
