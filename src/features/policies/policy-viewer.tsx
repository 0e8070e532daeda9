import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useMemo, useState } from 'react'
import type { Policies } from '../../contract/settings'
import { readPolicyText } from '../../db/database'
import { type EngineClient, useServices } from '../../state/services'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form'
import { Skeleton } from '../../ui/skeleton'
import { type PolicyBlock, policyBlocks } from '../../domain/policy-blocks'
import styles from './policy-viewer.module.css'

const NOT_LOADED = 'Could not load policy content. Please try again later.'
const LINES = ['92%', '100%', '97%', '64%', '99%', '88%', '95%', '41%']

/** A policy's text: the stored one at once, and another version as soon as it is loaded. */
export function PolicyViewer({ policy, onClose }: { readonly policy: keyof Policies; readonly onClose: () => void }) {
  const { db } = useServices().commands
  const [loading, again] = useLoadPolicies()
  const stored = useLiveQuery(() => readPolicyText(db, policy), [db, policy])
  return (
    <Dialog
      title={POLICY_NAMES[policy]}
      size="lg"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the text takes the focus, so that keys scroll it */}
      <section className={styles.content} aria-label={POLICY_NAMES[policy]} tabIndex={0} data-autofocus>
        {stored != null ? (
          <PolicyText text={stored.text} />
        ) : loading === 'loading' || stored === undefined ? (
          <div role="status" aria-label="Loading" className={styles.skeleton}>
            {LINES.map((width) => (
              <Skeleton key={width} width={width} height="0.875rem" />
            ))}
          </div>
        ) : (
          <div className={styles.problem}>
            <FormNote tone="error">{NOT_LOADED}</FormNote>
            <Button onClick={again}>Try again</Button>
          </div>
        )}
      </section>
    </Dialog>
  )
}

function PolicyText({ text }: { readonly text: string }) {
  const blocks = useMemo(() => policyBlocks(text), [text])
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a text's pieces have no other name and never move
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

function Block({ block }: { readonly block: PolicyBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h3 className={styles.heading}>{block.text}</h3>
    case 'paragraph':
      return <p>{block.text}</p>
    case 'list':
      return (
        <ul className={styles.list}>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
  }
}

type Loading = 'loading' | 'loaded' | 'failed'

const load = async (engine: EngineClient): Promise<Loading> =>
  (await engine.call('currentPolicies', {})).ok ? 'loaded' : 'failed'

/** Has the policies in force loaded, with their texts; the function tries again. */
export function useLoadPolicies(): readonly [Loading, () => void] {
  const { engine } = useServices()
  const [state, setState] = useState<Loading>('loading')
  useEffect(() => void load(engine).then(setState), [engine])

  const again = () => {
    setState('loading')
    void load(engine).then(setState)
  }
  return [state, again]
}

export const POLICY_NAMES = {
  terms: 'Terms of Use',
  privacy: 'Privacy Policy',
} as const satisfies Record<keyof Policies, string>
