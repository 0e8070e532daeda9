import { needsConnection, UNREACHED } from '../../domain/unreached-words'
import { useOnline } from '../../ui/use-online'

/** Why the server's history could not be had, in the words in which the rest of the app speaks of a missing network. */
export function useFetchWords(failure: string | null): string | null {
  const online = useOnline()
  return failure === UNREACHED && !online ? needsConnection('More history') : failure
}
