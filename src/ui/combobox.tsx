import { Combobox as Base } from '@base-ui/react/combobox'
import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { classNames } from './class-names'
import { type DropdownSide, dropdownSide } from '../domain/popup-place'
import styles from './combobox.module.css'
import fieldStyles from './field.module.css'

export interface ComboboxProps<T> {
  /** The visible label and the accessible name. */
  readonly label: string
  readonly items: readonly T[]
  readonly value: T | null
  readonly onChange: (value: T | null) => void
  readonly itemKey: (item: T) => string
  /** Text of the input once the item is chosen. */
  readonly itemLabel: (item: T) => string
  readonly matches: (item: T, term: string) => boolean
  readonly renderItem: (item: T) => ReactNode
  /** Stands in the input's left end while something is chosen. */
  readonly renderLead?: (item: T) => ReactNode
  /** Sentence of the list if nothing matches; the term is empty if there are no items at all. */
  readonly emptyText: (term: string) => string
  readonly placeholder?: string
  readonly error?: string | null | undefined
  readonly disabled?: boolean
  /** Takes the focus when the dialog around it opens. */
  readonly autoFocus?: boolean
}

/**
 * A text field that searches a list. The list is at most 240 px high and opens on the side with room
 * (see `dropdownSide`); inside a modal dialog it stays within it, so that it is not inert.
 */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { items, value, onChange, itemKey, itemLabel, matches, disabled = false } = props
  const group = useRef<HTMLDivElement>(null)
  const [side, setSide] = useState<DropdownSide>('bottom')
  const [open, setOpen] = useState(false)
  const [term, setTerm] = useState('')
  /** The term was typed, and no arrow key has walked the list since. */
  const justTyped = useRef(false)
  // State, not the ref: the portal has to be rendered again once the dialog around the field is known.
  const [container, setContainer] = useState<HTMLElement | null>(null)

  const onOpenChange = (next: boolean) => {
    const element = group.current
    if (next && element !== null) {
      setContainer(element.closest('dialog') ?? document.body)
      setSide(dropdownSide(element.getBoundingClientRect(), window.innerHeight))
    }
    setOpen(next)
  }
  const onKeyDown = (event: KeyboardEvent & { preventBaseUIHandler?: () => void }) => {
    // The browser would take the same Escape for the dialog around the field.
    if (event.key === 'Escape' && open) event.preventDefault()
    if (event.key === 'ArrowDown' && open && justTyped.current) {
      // Typing has highlighted the first item: the first Arrow Down arrives at it instead of skipping it.
      event.preventDefault()
      event.preventBaseUIHandler?.()
    }
    if (event.key.startsWith('Arrow')) justTyped.current = false
  }

  return (
    <Base.Root<T>
      items={items}
      value={value}
      onValueChange={onChange}
      open={open}
      onOpenChange={onOpenChange}
      onInputValueChange={(next, { reason }) => {
        setTerm(next)
        justTyped.current = reason === 'input-change' && next.trim() !== ''
      }}
      itemToStringLabel={itemLabel}
      isItemEqualToValue={(a, b) => itemKey(a) === itemKey(b)}
      filter={matches}
      autoHighlight
      disabled={disabled}
    >
      <SearchField {...props} group={group} onKeyDown={onKeyDown} />
      <Dropdown {...props} term={term} anchor={group} side={side} container={container} />
    </Base.Root>
  )
}

interface SearchFieldProps<T> extends Pick<
  ComboboxProps<T>,
  'label' | 'value' | 'renderLead' | 'placeholder' | 'error' | 'autoFocus'
> {
  readonly group: RefObject<HTMLDivElement | null>
  readonly onKeyDown: (event: KeyboardEvent) => void
}

function SearchField<T>(props: SearchFieldProps<T>) {
  const { label, value, renderLead, placeholder, error, autoFocus, group, onKeyDown } = props
  const id = useId()
  const wrong = error != null && error !== ''
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id} className={fieldStyles.label}>
        {label}
      </label>
      <Base.InputGroup ref={group} className={styles.group}>
        {value !== null && renderLead !== undefined && <span className={styles.lead}>{renderLead(value)}</span>}
        <Base.Input
          id={id}
          data-autofocus={autoFocus || undefined}
          className={classNames(fieldStyles.input, styles.input, value !== null && renderLead && styles.withLead)}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? `${id}-error` : undefined}
          onKeyDown={onKeyDown}
          onFocus={(event) => event.currentTarget.select()}
        />
        {/* The trigger has the field's role; with the field's name, a screen reader would find two fields. */}
        <Base.Trigger className={styles.trigger} aria-label="Show the list">
          <ChevronDown aria-hidden="true" />
        </Base.Trigger>
      </Base.InputGroup>
      {wrong && (
        <p id={`${id}-error`} role="alert" className={fieldStyles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

interface DropdownProps<T> extends Pick<ComboboxProps<T>, 'itemKey' | 'renderItem' | 'emptyText'> {
  readonly term: string
  readonly anchor: RefObject<HTMLDivElement | null>
  readonly side: DropdownSide
  /** Null until the list has been opened once. */
  readonly container: HTMLElement | null
}

const Dropdown = <T,>({ itemKey, renderItem, emptyText, term, anchor, side, container }: DropdownProps<T>) => (
  <Base.Portal container={container}>
    <Base.Positioner
      className={styles.positioner}
      anchor={anchor}
      positionMethod="fixed"
      side={side}
      align="start"
      sideOffset={4}
      collisionAvoidance={{ side: 'none', align: 'none' }}
    >
      <Base.Popup className={styles.popup}>
        <Base.Empty>
          <div className={styles.empty}>{emptyText(term)}</div>
        </Base.Empty>
        <Base.List className={styles.list}>
          {(item: T) => (
            <Base.Item key={itemKey(item)} value={item} className={styles.item}>
              {renderItem(item)}
            </Base.Item>
          )}
        </Base.List>
      </Base.Popup>
    </Base.Positioner>
  </Base.Portal>
)
