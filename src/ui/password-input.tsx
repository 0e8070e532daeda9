import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentPropsWithRef } from 'react'
import { IconButton } from './button'
import { TextInput } from './field'
import styles from './password-input.module.css'

interface PasswordInputProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'className'> {
  readonly autoComplete: 'current-password' | 'new-password'
}

/** A password, and a button that shows what was typed. */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className={styles.box}>
      <TextInput
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={styles.input}
      />
      <IconButton
        label={shown ? 'Hide password' : 'Show password'}
        aria-controls={props.id}
        size="sm"
        className={styles.eye}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      </IconButton>
    </div>
  )
}
