import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardCode,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  MeasuringStrategy,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { useLayoutEffect, useState } from 'react'
import type { DragRegistry } from './drag-registry'

/** Pixels that a pointer travels before a press becomes a drag. */
const ACTIVATION_DISTANCE = 8
/** Pixels that one press of an arrow key moves the item. */
const PIXELS_A_KEY = 25

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  [KeyboardCode.Right]: [1, 0],
  [KeyboardCode.Left]: [-1, 0],
  [KeyboardCode.Down]: [0, 1],
  [KeyboardCode.Up]: [0, -1],
}

const moveByKey: KeyboardCoordinateGetter = (event, { currentCoordinates }) => {
  const direction = DIRECTIONS[event.code]
  if (direction === undefined) return undefined
  event.preventDefault()
  return {
    x: currentCoordinates.x + direction[0] * PIXELS_A_KEY,
    y: currentCoordinates.y + direction[1] * PIXELS_A_KEY,
  }
}

/** Enter opens the handle's menu, so only space picks up. */
const KEYBOARD_CODES = {
  start: [KeyboardCode.Space],
  cancel: [KeyboardCode.Esc],
  end: [KeyboardCode.Space, KeyboardCode.Enter],
}

export interface SortingProps {
  /** Keys of one list in their order: nothing leaves its list. */
  readonly keys: readonly string[]
  readonly nameOf: (key: string) => string
  readonly registry: DragRegistry
  /** Items stay where they were dropped until this resolves, or until `keys` have another order. */
  readonly onMove: (key: string, to: number) => Promise<void> | void
}

/** Drag and drop for one list. Draws nothing but its live region; the elements of the registry are moved. */
export function Sorting({ keys, nameOf, registry, onMove }: SortingProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: ACTIVATION_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: moveByKey, keyboardCodes: KEYBOARD_CODES }),
  )
  const order = keys.join(' ')
  /** The order that a drop is to change; null: none is under way. */
  const [changing, setChanging] = useState<string | null>(null)
  const move = async (key: string, to: number) => {
    setChanging(order)
    await onMove(key, to)
    setChanging(null)
  }
  const finish = ({ active, over }: DragEndEvent) => {
    const [from, to] = [active.id, over?.id].map((id) => keys.indexOf(String(id)))
    // An item that left the list while it was dragged, such as a pair that became inactive, has no place in it any more.
    if (from !== -1 && to !== -1 && from !== to) void move(String(active.id), to!)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={{ droppable: { strategy: MeasuringStrategy.WhileDragging } }}
      accessibility={{ announcements: sortingAnnouncements(keys, nameOf) }}
      onDragEnd={finish}
    >
      <SortableContext items={[...keys]} strategy={rectSortingStrategy}>
        {keys.map((key) => (
          <SortableSlot key={key} id={key} registry={registry} isHeld={changing === order} />
        ))}
      </SortableContext>
    </DndContext>
  )
}

interface SortableSlotProps extends Pick<SortingProps, 'registry'> {
  readonly id: string
  /** The element keeps the place in which it was dropped. */
  readonly isHeld: boolean
}

/** Binds one element and its handle to drag and drop. */
function SortableSlot({ id, registry, isHeld }: SortableSlotProps) {
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id })

  useLayoutEffect(() => {
    setNodeRef(registry.slots.get(id) ?? null)
    return () => setNodeRef(null)
  }, [id, registry, setNodeRef])

  useLayoutEffect(() => {
    registry.listeners.set(id, listeners ?? {})
    return () => {
      registry.listeners.delete(id)
    }
  }, [id, registry, listeners])

  useLayoutEffect(() => {
    const slot = registry.slots.get(id)
    if (slot === undefined || isHeld) return
    slot.style.transform = CSS.Translate.toString(transform) ?? ''
    slot.style.transition = transition ?? ''
    slot.toggleAttribute('data-dragging', isDragging)
  }, [id, registry, isHeld, transform, transition, isDragging])

  // Drag and drop may end in the middle of a drag, when the list has nothing left to sort.
  useLayoutEffect(() => {
    const slot = registry.slots.get(id)
    return () => {
      if (slot === undefined) return
      slot.style.transform = ''
      slot.style.transition = ''
      slot.removeAttribute('data-dragging')
    }
  }, [id, registry])

  return null
}

/** Announcements for screen readers while the user drags an item inside its list. */
function sortingAnnouncements(keys: readonly string[], nameOf: (key: string) => string): Announcements {
  const name = (id: UniqueIdentifier) => nameOf(String(id))
  const place = (id: UniqueIdentifier) => keys.indexOf(String(id))
  return {
    onDragStart: ({ active }) => `${name(active.id)} picked up at position ${place(active.id) + 1} of ${keys.length}.`,
    onDragOver: ({ active, over }) => {
      // An item just picked up lies over its own place: announcing that would drown out the pick-up.
      if (over?.id === active.id) return undefined
      return over === null
        ? `${name(active.id)} is over no position.`
        : `${name(active.id)} is over position ${place(over.id) + 1} of ${keys.length}.`
    },
    // `onMove` announces the move once it is done.
    onDragEnd: ({ active, over }) =>
      over === null || over.id === active.id ? `${name(active.id)} put back.` : undefined,
    onDragCancel: ({ active }) => `Moving cancelled; ${name(active.id)} is where it was.`,
  }
}
