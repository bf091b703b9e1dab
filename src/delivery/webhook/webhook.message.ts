import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ShownMessage } from '#contract/deliveries.ts';
import { hopsHeader } from '#contract/hops.ts';
import type { Envelope } from '#delivery/adapter.ts';
import { isoOf } from '#domain/instants.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import {
  contentTypeIn,
  isJsonBody,
  isPlaceholder,
  type Placeholder,
  placeholder,
  type WebhookConfig,
} from './webhook.config.ts';

/** The request for one delivery; null when neither the recipient nor the channel has a URL. */
export function requestFor(envelope: Envelope, at: { config: WebhookConfig; nowMs: number }): HttpRequest | null {
  const { config, nowMs } = at;
  const destination = /^https?:\/\//i.test(envelope.recipient) ? envelope.recipient : config.url;
  if (destination === undefined) return null;
  const prepared = preparedFor(config);
  const { key, headers: fixed } = originWithoutSecrets(destination, config) === null ? prepared.signed : prepared.bare;
  const keys = key === null ? (envelope.signing_secrets ?? []).map(signingKey) : [key];
  const timestamp = isoOf(nowMs);
  const body = config.method === 'GET' ? '' : prepared.fillBody(envelope, timestamp);
  const seconds = String(Math.floor(nowMs / 1000));
  const hops = String((envelope.hops ?? 0) + 1);
  const headers = [...fixed, hopsHeader, hops, 'webhook-id', envelope.delivery_id, 'webhook-timestamp', seconds];
  const signed = `${envelope.delivery_id}.${seconds}.${body}`;
  if (keys.length > 0) headers.push('webhook-signature', keys.map((one) => sign(one, signed)).join(' '));
  const timeoutMs = config.timeout * 1000;
  if (config.method !== 'GET') return { url: destination, method: config.method, headers, body, timeoutMs };
  return { url: withQuery(destination, { envelope, timestamp }), method: 'GET', headers, timeoutMs };
}

/**
 * The origin of a request that is sent without the channel's headers and signature, because it goes neither to the
 * channel's own URL nor to an origin that an admin trusts: members choose the recipients. Null when headers and
 * signature are sent.
 */
export function originWithoutSecrets(destination: string, config: WebhookConfig): string | null {
  const hasSecrets = config.secret !== undefined || (config.headers ?? []).length > 0;
  return hasSecrets && !mayHaveSecrets(destination, config) ? (originOf(destination) ?? destination) : null;
}

/** Whether an admin chose this address, or all of its origin (scheme, host, port). Compared as parsed URLs, whatever their spelling. */
function mayHaveSecrets(destination: string, config: WebhookConfig): boolean {
  if (destination === config.url) return true;
  const { own, trusted } = preparedFor(config);
  const origin = originOf(destination);
  if (origin === undefined) return false;
  return trusted.has(origin) || (origin === own?.origin && isSameAddress(destination, own));
}

/** On a shared host the path decides who receives a request, or the query. What `own` leaves open may differ. */
function isSameAddress(destination: string, own: URL): boolean {
  const url = URL.parse(destination);
  if (url === null || url.pathname !== own.pathname || url.username !== own.username) return false;
  return [...own.searchParams.keys()].every(
    (name) => url.searchParams.getAll(name).join('\n') === own.searchParams.getAll(name).join('\n'),
  );
}

const knownOrigins = new LRUCache<string, string>({
  max: 1_000,
  maxSize: 1_000_000,
  sizeCalculation: (_, url) => url.length + 1,
});

function originOf(url: string): string | undefined {
  const known = knownOrigins.get(url);
  if (known !== undefined) return known;
  const origin = URL.parse(url)?.origin;
  if (origin !== undefined) knownOrigins.set(url, origin);
  return origin;
}

/** The request for display. The values of custom headers are left out, because they often hold tokens. */
export function shownRequest({ url, method, headers, body }: HttpRequest, config: WebhookConfig): ShownMessage {
  const isBare = originWithoutSecrets(url, config) !== null;
  const own = isBare ? [] : (config.headers ?? []).filter((_, at) => at % 2 === 0);
  const secret = new Set(['webhook-signature', ...own]);
  return {
    kind: 'request',
    method,
    url,
    headers: headers.flatMap((name, at) =>
      at % 2 === 0 ? [{ name, value: secret.has(name) ? null : (headers[at + 1] ?? '') }] : [],
    ),
    body: String(body ?? ''),
  };
}

/** The `webhook-signature` of `<webhook-id>.<webhook-timestamp>.<body>` (standardwebhooks.com, version 1). */
export function sign(key: KeyObject, content: string): string {
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** A `whsec_` secret is base64, as in the Standard Webhooks libraries. Any other is used as entered. */
export function signingKey(secret: string): KeyObject {
  const isEncoded = secret.startsWith('whsec_');
  return createSecretKey(
    isEncoded ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8'),
  );
}

type Prepared = {
  own: URL | null;
  trusted: ReadonlySet<string>;
  /** What is sent to addresses that get the channel's secrets, and what to others. */
  signed: { key: KeyObject | null; headers: readonly string[] };
  bare: { key: null; headers: readonly string[] };
  fillBody: (envelope: Envelope, timestamp: string) => string;
};

// Values that depend on the channel alone are computed once per configuration object.
const preparedBy = new WeakMap<WebhookConfig, Prepared>();

function preparedFor(config: WebhookConfig): Prepared {
  const known = preparedBy.get(config);
  if (known) return known;
  const { url, secret, trusted_origins: listed = [] } = config;
  const prepared: Prepared = {
    own: url === undefined ? null : URL.parse(url),
    trusted: new Set(listed),
    signed: { key: secret === undefined ? null : signingKey(secret), headers: fixedHeaders(config) },
    bare: { key: null, headers: fixedHeaders({ ...config, headers: [] }) },
    fillBody: config.body === undefined ? reminderDue : template(config.body),
  };
  preparedBy.set(config, prepared);
  return prepared;
}

function fixedHeaders({ headers = [], method, body }: WebhookConfig): string[] {
  const fixed = [...headers];
  const has = (name: string) => headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === name);
  if (!has('user-agent')) fixed.push('user-agent', 'Cuebird');
  if (method !== 'GET' && contentTypeIn(headers) === undefined) {
    const isText = body !== undefined && !isJsonBody(body);
    fixed.push('content-type', isText ? 'text/plain; charset=utf-8' : 'application/json');
  }
  return fixed;
}

/** The default body, for a channel without its own. */
function reminderDue(envelope: Envelope, timestamp: string): string {
  return JSON.stringify({
    type: 'reminder.due',
    id: envelope.delivery_id,
    timestamp,
    data: {
      reminder_id: envelope.reminder_id,
      name: envelope.name,
      subject: envelope.subject,
      message: envelope.message,
      recipient: envelope.recipient,
      recipient_name: envelope.recipient_name,
      scheduled_for: envelope.scheduled_for,
      attempt: envelope.attempt,
      is_test: envelope.is_test,
    },
  });
}

function template(body: string): Prepared['fillBody'] {
  const escape = isJsonBody(body) ? escapeForJson : (text: string) => text;
  return (envelope, timestamp) =>
    body.replace(placeholder, (whole, name: string) =>
      isPlaceholder(name) ? escape(valueOf(name, { envelope, timestamp })) : whole,
    );
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function valueOf(name: Placeholder, { envelope, timestamp }: { envelope: Envelope; timestamp: string }): string {
  if (name === 'content') return envelope.message;
  if (name === 'timestamp') return timestamp;
  return String(envelope[name] ?? '');
}

function withQuery(destination: string, { envelope, timestamp }: { envelope: Envelope; timestamp: string }): string {
  const url = URL.parse(destination);
  if (!url) return destination;
  url.searchParams.set('message', envelope.message);
  url.searchParams.set('subject', envelope.subject);
  url.searchParams.set('timestamp', timestamp);
  url.searchParams.set('recipient', envelope.recipient);
  return url.href;
}
