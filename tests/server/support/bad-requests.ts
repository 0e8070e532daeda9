import { randomUUID } from 'node:crypto'
import { badTexts, badValues, goodValue, mayBeNothing, NASTY_TEXT, type Schema, types } from './schema-values'

/** As much of an OpenAPI document as is read here. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  /** By scheme, the roles that are required. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
}
interface BadRequest extends RawRequest {
  /** The fault of the request, in words. */
  readonly fault: string
}

/** A caller who may ask, and their rows. */
interface Party {
  readonly headers: Readonly<Record<string, string>>
  /** By the name of the path's parameter. */
  readonly ids: Readonly<Record<string, string>>
}
export interface Setting {
  readonly guest: Party
  readonly user: Party
  readonly superuser: Party
  /** Ids of what belongs to somebody else. */
  readonly others: readonly string[]
}

/** One call of the document, and how to make good and bad requests of it. */
export interface Call {
  readonly name: string
  readonly good: RawRequest
  readonly bodySchema: Schema | null
  readonly bad: readonly BadRequest[]
}

/** Bodies that are wrong whatever the schema: raw text, since some of it is no JSON at all. */
const NASTY_BODIES: readonly (readonly [fault: string, payload: string | Buffer])[] = [
  ['no JSON', '{'],
  ['NaN', '{"high_threshold": NaN, "ratio": NaN, "ordered_ids": NaN}'],
  ['Infinity', '{"high_threshold": Infinity, "ratio": Infinity, "ordered_ids": Infinity}'],
  ['a single quote', "{'a': 1}"],
  ['null', 'null'],
  ['a number', '1'],
  ['a text', '"text"'],
  ['an array', '[]'],
  ['a thousand nested arrays', '['.repeat(1000) + ']'.repeat(1000)],
  ['thirty thousand nested arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['thirty thousand unclosed arrays', '['.repeat(30_000)],
  ['a prototype key', '{"__proto__": {"admin": true}}'],
  ['a constructor key', '{"constructor": {"prototype": {"admin": true}}}'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a zero byte', Buffer.from([0x00])],
  ['more than 64 KiB', `{"filler": "${'x'.repeat(70_000)}"}`],
]

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const WRONG_CONTENT_TYPES = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', FORM_TYPE, 'nonsense']

export function callsOf(document: Document, setting: Setting): Call[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(path, method, operation, setting)),
  )
}

function callOf(path: string, method: string, operation: Operation, setting: Setting): Call {
  const parameters = operation.parameters ?? []
  const schemes = (operation.security ?? []).flatMap(Object.keys)
  const roles = (operation.security ?? []).flatMap((scheme) => Object.values(scheme).flat())
  const party = schemes.includes('anonymous')
    ? setting.guest
    : roles.includes('superuser')
      ? setting.superuser
      : setting.user
  const { content = {} } = operation.requestBody ?? {}
  const bodySchema = content[JSON_TYPE]?.schema ?? null
  const formSchema = content[FORM_TYPE]?.schema ?? null
  const address = (change: Readonly<Record<string, string>> = {}, query: string | null = null): string => {
    const filled = parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce(
        (url, { name, schema }) =>
          url.replace(`{${name}}`, encodeURIComponent(change[name] ?? pathValue(name, schema, party))),
        path,
      )
    const own = parameters
      .filter((p) => p.in === 'query')
      .map((p) => `${p.name}=${String(goodValue(p.schema))}`)
      .join('&')
    return query === null ? (own === '' ? filled : `${filled}?${own}`) : `${filled}?${query}`
  }
  const needsIdentity = schemes.length > 0
  const good: RawRequest = {
    method: method.toUpperCase() as RawRequest['method'],
    url: address(),
    headers: {
      ...(needsIdentity && party.headers),
      ...(bodySchema !== null && { 'content-type': JSON_TYPE }),
      ...(formSchema !== null && { 'content-type': FORM_TYPE }),
    },
    ...(bodySchema !== null && { payload: JSON.stringify(goodValue(bodySchema)) }),
    ...(formSchema !== null && { payload: formOf(goodValue(formSchema)).toString() }),
  }
  const bad = [
    ...(needsIdentity ? [...badIdentities(good, setting), ...wrongIdentities(good, schemes, roles, setting)] : []),
    ...badPaths(good, parameters, address, setting.others),
    ...badQueries(good, parameters, address),
    ...(needsIdentity && method !== 'get' ? badKeys(good) : []),
    ...(bodySchema === null ? [] : badBodies(good, bodySchema)),
    ...(bodySchema === null || mayBeNothing(bodySchema) ? [] : noBodies(good)),
    ...(formSchema === null ? [] : [...noBodies(good), ...badForms(good, formSchema)]),
  ]
  return { name: `${good.method} ${path}`, good, bodySchema, bad }
}

function pathValue(name: string, schema: Schema, { ids }: Party): string {
  if (schema.format !== 'uuid') return String(goodValue(schema))
  const id = ids[name]
  if (id === undefined) throw new Error(`Nobody has a ${name} to ask for.`)
  return id
}

const as = (good: RawRequest, fault: string, identity: Readonly<Record<string, string>>): BadRequest => {
  const { 'x-anonymous-user-id': _guest, authorization: _user, ...rest } = good.headers
  return { ...good, headers: { ...rest, ...identity }, fault }
}

const anonymous = (id: string) => ({ 'x-anonymous-user-id': id })

const badIdentities = (good: RawRequest, { guest, user }: Setting): BadRequest[] => [
  as(good, 'no identity', {}),
  as(good, 'an empty identity', anonymous('')),
  as(good, 'an identity of too little randomness', anonymous('anon-1700000000000-short')),
  as(good, 'an identity with markup', anonymous(`anon-1700000000000-${'<b>'.repeat(8)}`)),
  as(good, 'an endless identity', anonymous(`anon-1700000000000-${'a'.repeat(500)}`)),
  as(
    good,
    'two identities',
    anonymous(
      Object.values(guest.headers)
        .flatMap((id) => [id, id])
        .join(', '),
    ),
  ),
  as(good, 'a token nobody issued', { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }),
  as(good, 'two tokens', { authorization: `${user.headers['authorization']}, ${user.headers['authorization']}` }),
  as(good, 'an endless token', { authorization: `Bearer ${'a'.repeat(5000)}` }),
  as(good, 'another scheme', { authorization: 'Basic YTpi' }),
  as(good, 'a token beside a good identity', { ...guest.headers, authorization: 'Bearer x' }),
]

/** A guest where users are served, a user where guests or superusers are. */
const wrongIdentities = (
  good: RawRequest,
  schemes: readonly string[],
  roles: readonly string[],
  { guest, user }: Setting,
): BadRequest[] => [
  ...(schemes.includes('anonymous') ? [] : [as(good, 'a guest', guest.headers)]),
  ...(schemes.includes('bearer') && roles.length === 0 ? [] : [as(good, 'a user', user.headers)]),
]

/** Ending a session that is over or somebody else's changes nothing, and is answered as if it had been one's own. */
const ENDS_WHAT_IS_OVER = /\/users\/me\/sessions\/[^/]+$/

function badPaths(
  good: RawRequest,
  parameters: readonly Parameter[],
  address: (change: Readonly<Record<string, string>>) => string,
  others: readonly string[],
): BadRequest[] {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name, schema }) => {
      const ids = ENDS_WHAT_IS_OVER.test(good.url) ? [] : [randomUUID(), ...others]
      const unknown = schema.format === 'uuid' ? [...ids, 'temp-1', '0'] : ['no-such-coin']
      // An address cannot hold half a character, and an empty part makes another address.
      const nasty = NASTY_TEXT.filter((text) => text !== '' && text !== '\ud800')
      const texts = [...unknown, ...nasty, '%', '*']
      return texts.map((text) => ({
        ...good,
        url: address({ [name]: text }),
        fault: `${name} is ${text.slice(0, 40)}`,
      }))
    })
}

function badQueries(
  good: RawRequest,
  parameters: readonly Parameter[],
  address: (change: Readonly<Record<string, string>>, query: string) => string,
): BadRequest[] {
  const own = parameters.filter((parameter) => parameter.in === 'query')
  if (own.length === 0) return []
  const strict = own.filter(
    ({ schema }) =>
      schema.enum !== undefined ||
      schema.format !== undefined ||
      schema.maximum !== undefined ||
      schema.maxLength !== undefined,
  )
  const query = (changed: string, value: string) =>
    own
      .map(({ name, schema }) => `${name}=${encodeURIComponent(name === changed ? value : String(goodValue(schema)))}`)
      .join('&')
  const queries = [
    ...(own.some(({ required }) => required) ? [''] : []),
    ...own.map(({ name }) => `${query('', '')}&${name}=again`),
    ...strict.flatMap(({ name, schema }) => badTexts(schema).map((text) => query(name, text))),
    ...(strict.length === own.length ? [`${query('', '')}&unknown=1`] : []),
  ]
  return queries.map((query) => ({ ...good, url: address({}, query), fault: `the query is ${query.slice(0, 40)}` }))
}

const badKeys = (good: RawRequest): BadRequest[] =>
  ['1', 'not-a-uuid', `${randomUUID()}, ${randomUUID()}`, 'x'.repeat(2000), '00000000-0000-0000-0000-00000000000g'].map(
    (key) => ({
      ...good,
      headers: { ...good.headers, 'idempotency-key': key },
      fault: `the key is ${key.slice(0, 40)}`,
    }),
  )

function noBodies({ payload: _payload, ...empty }: RawRequest): BadRequest[] {
  return [
    { ...empty, fault: 'no body' },
    { ...empty, payload: '', fault: 'an empty body' },
  ]
}

const formOf = (value: unknown): URLSearchParams => new URLSearchParams(value as Record<string, string>)

/** Routes that read a form instead of JSON. */
function badForms(good: RawRequest, schema: Schema): BadRequest[] {
  const whole = goodValue(schema) as Record<string, string>
  const withBody = (fault: string, payload: string): BadRequest => ({ ...good, payload, fault })
  const changed = (change: Record<string, string>) => formOf({ ...whole, ...change }).toString()
  const json = JSON.stringify(whole)
  return [
    withBody('JSON', json),
    { ...good, headers: { ...good.headers, 'content-type': JSON_TYPE }, payload: json, fault: 'JSON that says so' },
    withBody('an unknown member', changed({ is_admin: 'true' })),
    withBody('a prototype key', changed({ __proto__: 'x', 'constructor.prototype': 'x' })),
    withBody('a list', `${changed({})}&username[]=x`),
    withBody('more than 64 KiB', changed({ password: 'x'.repeat(70_000) })),
    withBody('half an escape', 'username=%E0%A4%A&password=%'),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      withBody(`${name} twice`, `${changed({})}&${name}=again`),
      ...badValues(member)
        .filter((value) => typeof value === 'string')
        .map((value) => withBody(`${name} is ${value.slice(0, 40)}`, changed({ [name]: value }))),
    ]),
    ...(schema.required ?? []).map((name) => {
      const { [name]: _left, ...rest } = whole
      return withBody(`${name} is missing`, formOf(rest).toString())
    }),
  ]
}

function badBodies(good: RawRequest, schema: Schema): BadRequest[] {
  const whole = goodValue(schema) as Record<string, unknown>
  const withBody = (fault: string, payload: string | Buffer): BadRequest => ({ ...good, payload, fault })
  const members = Object.entries(schema.properties ?? {})
  return [
    ...NASTY_BODIES.filter(([fault]) => fault !== 'null' || !mayBeNothing(schema)).map(([fault, payload]) =>
      withBody(fault, payload),
    ),
    ...WRONG_CONTENT_TYPES.map((type) => ({
      ...good,
      headers: { ...good.headers, 'content-type': type },
      fault: `content type ${type}`,
    })),
    withBody('an unknown member', JSON.stringify({ ...whole, is_admin: true })),
    ...(schema.required ?? []).map((name) => {
      const { [name]: _left, ...rest } = whole
      return withBody(`${name} is missing`, JSON.stringify(rest))
    }),
    ...members.flatMap(([name, member]) =>
      badValues(member).map((value) =>
        withBody(`${name} is ${JSON.stringify(value).slice(0, 40)}`, JSON.stringify({ ...whole, [name]: value })),
      ),
    ),
    // JSON.stringify cannot write these.
    ...members
      .filter(([, member]) => types(member).includes('number'))
      .map(([name]) =>
        withBody(`${name} overflows`, JSON.stringify({ ...whole, [name]: 'HERE' }).replace('"HERE"', '1e999')),
      ),
  ]
}
