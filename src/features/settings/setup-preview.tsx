import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { themeOf } from './setup-device'
import type { ChosenSetup } from './setup-files'
import styles from './setup-preview.module.css'

/** More names than these are counted, not listed. */
const MAX_NAMES = 8

const countOf = (count: number, thing = 'pair'): string => (count === 1 ? `1 ${thing}` : `${count} ${thing}s`)

interface SetupPreviewProps {
  readonly chosen: ChosenSetup
  readonly onLoad: () => void
  readonly onClose: () => void
}

/** Says what loading a setup does, before anything is done. */
export function SetupPreview({ chosen: { setup, plan }, onLoad, onClose }: SetupPreviewProps) {
  const theme = themeOf(setup.device)
  const isNothing = plan.add.length === 0 && theme === null && !plan.changesViews
  return (
    <Dialog
      title="Load setup"
      onClose={onClose}
      footer={
        isNothing ? (
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" onClick={onLoad} data-autofocus>
              Load setup
            </Button>
          </>
        )
      }
    >
      <div className={styles.parts}>
        {isNothing && <p className={styles.title}>Nothing in this setup can be added here.</p>}
        {plan.adds.length > 0 && (
          <Part title={`Adds ${countOf(plan.adds.length)}`} names={plan.adds}>
            With thresholds, alerts and checkpoints, in this order, behind the pairs that are here.
          </Part>
        )}
        {plan.there.length > 0 && (
          <Part title={`Skips ${countOf(plan.there.length)}`} names={plan.there}>
            Here already: {plan.there.length === 1 ? 'it stays as it is' : 'they stay as they are'}.
          </Part>
        )}
        {plan.beyond.length > 0 && (
          <Part title={`Leaves out ${countOf(plan.beyond.length)}`} names={plan.beyond}>
            More than your plan holds. Load this file again when there is room, such as after an upgrade.
          </Part>
        )}
        {plan.checkpointsBeyond > 0 && (
          <Part title={`Leaves out ${countOf(plan.checkpointsBeyond, 'checkpoint')}`}>
            More than your plan holds for a pair. The default ones come.
          </Part>
        )}
        {plan.changesViews && <Part title="Takes over how charts and dashboard look" />}
        {theme !== null && <Part title={`Sets the theme to ${theme[0]!.toUpperCase()}${theme.slice(1)}`} />}
      </div>
    </Dialog>
  )
}

interface PartProps {
  readonly title: string
  readonly names?: readonly string[]
  readonly children?: ReactNode
}

function Part({ title, names = [], children }: PartProps) {
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{title}</h3>
      {names.length > 0 && (
        <p className={styles.names}>
          {names.slice(0, MAX_NAMES).join(', ')}
          {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
        </p>
      )}
      {children !== undefined && <p className={styles.text}>{children}</p>}
    </section>
  )
}
