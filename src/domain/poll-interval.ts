/** Milliseconds between two polls, of the server at its provider and of pages at the server (specification). */
export const POLL_INTERVAL = 75_000
