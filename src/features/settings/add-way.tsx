import { useState } from 'react'
import type { Channel, NewChannel } from '../../contract/channels'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { Field, Select, TextInput } from '../../ui/field'
import { type Form, useForm } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import text from '../../ui/text.module.css'
import { KIND_WORDS, PRESET_WORDS, type WebhookPreset } from './way-words'

const ADDRESS_HINTS: Readonly<Record<WebhookPreset, string>> = {
  json: 'Each alert is posted there as JSON, signed as Standard Webhooks say.',
  ntfy: 'Server and topic, such as https://ntfy.sh/my-topic. Whoever knows the topic reads along.',
  discord: 'From the channel’s settings, Integrations, Webhooks.',
  slack: 'From your Slack app, Incoming Webhooks.',
}

function addressProblem(address: string, preset: WebhookPreset): string | undefined {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return 'Give the whole address, such as https://example.com/alerts.'
  const hasTopic = /\/[-_A-Za-z0-9]{1,64}\/?$/.test(new URL(address).pathname)
  return preset === 'ntfy' && !hasTopic
    ? 'The address ends with the topic, such as https://ntfy.sh/my-topic.'
    : undefined
}

export interface AddWayProps {
  readonly kinds: readonly Channel['kind'][]
  /** The address of the account, which gets the mails. */
  readonly email: string | undefined
  /** The server may have another way now, also where its answer was lost. */
  readonly onAsked: () => void
  readonly onAdded: (way: Channel) => void
  readonly onClose: () => void
}

/** Asks for a new way, and has the server make it. */
export function AddWay({ kinds, email, onAsked, onAdded, onClose }: AddWayProps) {
  const { engine } = useServices()
  const [kind, setKind] = useState<Channel['kind']>('webhook')
  const [preset, setPreset] = useState<WebhookPreset>('json')
  const form = useForm(['url', 'bearer'], {
    check: ({ url, bearer }) =>
      kind !== 'webhook'
        ? {}
        : {
            url: addressProblem(url.trim(), preset),
            bearer: /^[\x21-\x7e]{0,512}$/.test(bearer.trim()) ? undefined : 'A token has no spaces.',
          },
    send: async ({ url, bearer }) => {
      const token = bearer.trim()
      const asked: NewChannel =
        kind === 'webhook' ? { kind, url: url.trim(), preset, ...(token !== '' && { bearer: token }) } : { kind }
      const reply = await engine.call('createChannel', asked)
      onAsked()
      if (reply.ok) return (onAdded(reply.value), null)
      const problem = sentenceOf(reply, 'It could not be added.')
      return reply.error_code === 'WEBHOOK_ADDRESS_REFUSED' ? { url: problem } : { form: problem }
    },
  })
  return (
    <FormDialog title="Add a way to reach you" action="Add" form={form} onClose={onClose}>
      <Field label="Kind">
        {(control) => (
          <Choice {...control} words={KIND_WORDS} among={kinds} value={kind} onChoose={setKind} data-autofocus />
        )}
      </Field>
      {kind === 'email' && (
        <p className={text.prose}>Alerts are mailed to {email}; several at once come in one mail.</p>
      )}
      {kind === 'telegram' && (
        <p className={text.prose}>
          You get a link that opens a chat with this server’s bot, and confirm the chat here.
        </p>
      )}
      {kind === 'webhook' && <WebhookFields form={form} preset={preset} onPreset={setPreset} />}
    </FormDialog>
  )
}

interface WebhookFieldsProps {
  readonly form: Form<'url' | 'bearer'>
  readonly preset: WebhookPreset
  readonly onPreset: (preset: WebhookPreset) => void
}

const WebhookFields = ({ form: { problems, busy }, preset, onPreset }: WebhookFieldsProps) => (
  <>
    <Field label="Written for">
      {(control) => <Choice {...control} words={PRESET_WORDS} value={preset} onChoose={onPreset} />}
    </Field>
    <Field label="Address" hint={ADDRESS_HINTS[preset]} error={problems.url}>
      {(control) => (
        <TextInput
          {...control}
          name="url"
          type="url"
          inputMode="url"
          maxLength={2048}
          placeholder="https://"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={busy}
        />
      )}
    </Field>
    {preset === 'ntfy' && (
      <Field label="Access token" hint="Only for a protected topic." error={problems.bearer}>
        {(control) => <TextInput {...control} name="bearer" autoComplete="off" readOnly={busy} />}
      </Field>
    )}
  </>
)

interface ChoiceProps<T extends string> {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly words: Readonly<Record<T, string>>
  /** Absent: all. */
  readonly among?: readonly T[]
  readonly value: T
  readonly onChoose: (value: T) => void
  readonly 'data-autofocus'?: boolean
}

function Choice<T extends string>({ words, among, value, onChoose, ...control }: ChoiceProps<T>) {
  const offered = among ?? (Object.keys(words) as T[])
  return (
    <Select {...control} value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
      {offered.map((one) => (
        <option key={one} value={one}>
          {words[one]}
        </option>
      ))}
    </Select>
  )
}
