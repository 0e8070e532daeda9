/** Paths below the app's own origin at which something else answers: the API, the server's state, the sandbox. */
export const NOT_THE_APP = /^\/(api|healthz|readyz|metrics|sandbox)\b/
