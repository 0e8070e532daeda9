/** The place in the settings where a password is changed, as the fragment of an address. */
export const CHANGE_PASSWORD_ID = 'change-password'
