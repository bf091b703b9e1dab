import type { z } from 'zod';
import type { ReasonCode } from '#contract/reason-codes.ts';
import { serverIsExhausted } from '#domain/ledger-reasons.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import { parseRetryAfter } from '#platform/outbound/retry-after.ts';
import type { Network, Verification } from '#delivery/adapter.ts';

export type Answered = Extract<HttpAnswer, { kind: 'answer' }>;
type Unanswered = Exclude<HttpAnswer, Answered>;
export type Failed = Extract<Outcome, { outcome: 'failed' }>;
export type Unknown = Extract<Outcome, { outcome: 'unknown' }>;

/** Sends one request. `read` decides about the response; a failure before it is already an outcome. */
export async function outcomeOfRequest(
  request: HttpRequest,
  { network, read }: { network: Network; read: (answer: Answered) => Outcome },
): Promise<Outcome> {
  const answer = await network.http.request(request);
  return answer.kind === 'answer' ? read(answer) : outcomeWithoutAnswer(answer);
}

export function outcomeWithoutAnswer(answer: Unanswered): Failed | Unknown {
  switch (answer.kind) {
    case 'not_sent':
      if (answer.isOwnFault === true) return notSentByUs(answer.reason);
      return { outcome: 'failed', permanent: false, code: 'unreachable', reason: `Not sent: ${answer.reason}` };
    case 'refused':
      return { outcome: 'failed', permanent: true, code: 'unreachable', reason: `Not sent: ${answer.reason}` };
    case 'lost':
      return { outcome: 'unknown', reason: `Sent, but not answered: ${answer.reason}` };
    default:
      return answer satisfies never;
  }
}

/** Nothing was tried, because this machine had no means to: it costs no attempt, and says nothing about the destination. */
export const notSentByUs = (reason: string): Failed => ({
  outcome: 'failed',
  permanent: false,
  ...serverIsExhausted(reason),
});

/** A refusal that a retry may solve: timeout, conflict, too early, too many requests, or a server error. */
const isTemporary = (status: number) => status >= 500 || [408, 409, 425, 429].includes(status);

/** A refusal as an outcome. It is temporary by its status, unless the provider's own code says otherwise. */
export function refusal(
  answer: Answered,
  {
    reason,
    now,
    permanent = !isTemporary(answer.status),
  }: { reason: string; now: Temporal.Instant; permanent?: boolean },
): Failed {
  const retryAfterMs = permanent ? undefined : parseRetryAfter(headerOf(answer, 'retry-after'), now);
  return { outcome: 'failed', permanent, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A permanent refusal. With a code where the adapter itself refuses without sending, so that no answer can be classified. */
export const refused = (reason: string, code?: ReasonCode): Failed => ({
  outcome: 'failed',
  permanent: true,
  ...(code !== undefined && { code }),
  reason,
});

/** The refusal of a text that is too long to send, and null for one that fits. */
export const tooLong = (text: string, { max, by }: { max: number; by: string }): Failed | null =>
  text.length > max ? refused(`The message has ${text.length} characters; ${by} takes ${max}`, 'too_large') : null;

/** The status says accepted, but the body cannot be read: whether the message is sent is unknown. */
export const notUnderstood = (answer: Answered): Unknown => ({
  outcome: 'unknown',
  reason: `Sent, but the answer is not understood: ${inWords(answer)}`,
});

/** Parses a response's body as JSON of this shape; null when it does not match. */
export function jsonIn<T>({ body }: Pick<Answered, 'body'>, shape: z.ZodType<T>): T | null {
  const parsed = shape.safeParse(parseJson(body));
  return parsed.success ? parsed.data : null;
}

export function inWords({ status, body }: Answered): string {
  const words = oneLine(body.slice(0, 1_000)).slice(0, 500);
  return words ? `HTTP ${status}: ${words}` : `HTTP ${status}`;
}

export function headerOf({ headers }: Answered, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The timeout of one API request. */
export const apiTimeoutMs = 30_000;

/** A request to a provider's API, which answers JSON: a POST where there is a body, of a form or else of JSON. */
export function apiRequest(
  url: string,
  { headers = [], body }: { headers?: string[]; body?: URLSearchParams | object } = {},
): HttpRequest {
  const asked = { url, headers: [...headers, 'accept', 'application/json', 'user-agent', 'Cuebird'] };
  if (body === undefined) return { ...asked, method: 'GET', timeoutMs: apiTimeoutMs };
  const [type, text] =
    body instanceof URLSearchParams
      ? ['application/x-www-form-urlencoded', body.toString()]
      : ['application/json', JSON.stringify(body)];
  return {
    ...asked,
    method: 'POST',
    headers: [...asked.headers, 'content-type', type],
    body: text,
    timeoutMs: apiTimeoutMs,
  };
}

/** Checks a configuration by a request to the provider. Without a response the check fails with the reason. */
export async function verifyByRequest(
  request: HttpRequest,
  { network, read }: { network: Network; read: (answer: Answered) => Verification },
): Promise<Verification> {
  const answer = await network.http.request(request);
  return answer.kind === 'answer' ? read(answer) : { success: false, message: answer.reason };
}
