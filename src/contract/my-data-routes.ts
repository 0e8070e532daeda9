import { myData } from './my-data'
import type { Route } from './routes'

/** Having one's data as a file, and deleting it without an account. */
export const myDataRoutes = {
  myData: {
    method: 'GET',
    path: '/me/data',
    identity: 'any',
    summary: 'Everything that the server has of the caller, but for hashes and keys; five times an hour',
    status: 200,
    answer: myData,
  },
  deleteMyData: {
    method: 'DELETE',
    path: '/me/data',
    identity: 'guest',
    summary: 'Removes a guest and everything of theirs; accounts are deleted by /users/me',
    status: 204,
    answer: null,
  },
} as const satisfies Record<string, Route>
