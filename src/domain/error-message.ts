/** Shown if nothing answered a request; the specification's sentences are for answered errors. */
export const UNREACHED = 'The server could not be reached. Check your connection and try again.'

/** Shown without a network. @param what cannot be done meanwhile, such as "Changing the password" */
export const needsConnection = (what: string): string => `You are offline. ${what} needs a connection.`

/** Any thrown value as an Error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

export const messageOf = (thrown: unknown): string => toError(thrown).message

/** A reason as a part of a longer sentence, which has a full stop of its own. */
export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')
