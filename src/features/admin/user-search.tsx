import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/button'
import { TextInput } from '../../ui/field'
import { useSearchTerm } from './use-search-term'
import styles from './user-search.module.css'

interface UserSearchProps {
  readonly term: string
  readonly onTerm: (term: string) => void
}

/** No address is longer (RFC 5321, 4.5.3.1.3), and no id. */
const LONGEST_TERM = 254

/** Looks for accounts half a second after the last key, or at once with Enter. */
export function UserSearch({ term, onTerm }: UserSearchProps) {
  const { typed, type, submit } = useSearchTerm(term, onTerm)
  const field = useRef<HTMLInputElement>(null)
  const clear = () => {
    type('')
    field.current?.focus()
  }
  return (
    <form
      role="search"
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Search aria-hidden="true" className={styles.icon} />
      <TextInput
        ref={field}
        type="search"
        aria-label="Search users"
        placeholder="Email address or user ID"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={LONGEST_TERM}
        className={styles.field}
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
      {typed !== '' && (
        <IconButton label="Clear search" size="sm" className={styles.clear} onClick={clear}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </form>
  )
}
