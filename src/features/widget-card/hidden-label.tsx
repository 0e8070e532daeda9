import styles from './hidden-label.module.css'

/**
 * The name of a button that shows values: they stand in it as text, and are its description. A label and not an
 * aria-label, so that no name replaces what is to be read.
 */
export function HiddenLabel({ htmlFor, text }: { readonly htmlFor: string; readonly text: string }) {
  return (
    <label htmlFor={htmlFor} className={styles.label}>
      {text}
    </label>
  )
}
