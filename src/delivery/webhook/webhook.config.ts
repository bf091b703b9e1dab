import { z } from 'zod';
import { parseJson } from '#delivery/answer.ts';

/** A form sends empty text for a field that was left blank. */
const blank = z.literal('').transform(() => undefined);

const Url = z
  .string()
  .max(2_000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be a URL that begins with http:// or https://',
  );

/** Custom headers as JSON text, parsed here once, so that sending never fails on them. */
const Headers = z.string().max(10_000).transform(parseHeaders);

/** The most origins that an admin may list. */
const maxOrigins = 20;

/**
 * Origins at which every address receives headers and signature, not only `url`: one per line, stored as browsers serialise origins.
 */
const TrustedOrigins = z
  .string('must be text, one origin per line')
  .max(6_000, 'must be at most 6000 characters')
  .transform(parseOrigins);

const Fields = z.object({
  url: blank.or(Url).optional(),
  trusted_origins: TrustedOrigins.optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST'),
  body: blank.or(z.string().max(50_000)).optional(),
  headers: Headers.optional(),
  secret: blank.or(z.string().max(500).refine(isUsableSecret, 'must be base64 after whsec_')).optional(),
  timeout: z.coerce.number().int().min(1, 'must be 1 to 120 seconds').max(120, 'must be 1 to 120 seconds').default(30),
});

/** A webhook channel (spec 001, section 3). `url` may be missing when every recipient is a URL of its own. */
export const WebhookConfig = Fields.superRefine(({ body, headers }, check) => {
  const problem = body === undefined ? null : bodyProblem(body, contentTypeIn(headers ?? []));
  if (problem) check.addIssue({ code: 'custom', path: ['body'], message: problem });
});
export type WebhookConfig = z.output<typeof WebhookConfig>;

/** The placeholders `{{name}}` of a raw body. */
export const placeholders = [
  'content',
  'message',
  'subject',
  'name',
  'recipient',
  'recipient_name',
  'reminder_id',
  'delivery_id',
  'scheduled_for',
  'timestamp',
  'attempt',
] as const;
export type Placeholder = (typeof placeholders)[number];

export const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g;

export function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((known) => known === name);
}

/** Whether a raw body is JSON, so that inserted values must be escaped. Tested with a zero in each placeholder. */
export function isJsonBody(body: string): boolean {
  const sample = body.replace(placeholder, '0').trim();
  return /^[[{"]/.test(sample) && isJson(sample);
}

/** The custom content type in a list of names and values, in lower case. */
export function contentTypeIn(headers: readonly string[]): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type');
  return at < 0 ? undefined : headers[at + 1]?.toLowerCase();
}

function bodyProblem(body: string, contentType: string | undefined): string | null {
  for (const [, name = ''] of body.matchAll(placeholder)) {
    if (!isPlaceholder(name)) return `{{${name}}} is not known here; use ${placeholders.join(', ')}`;
  }
  const looksLikeJson = contentType?.includes('json') ?? /^\{[^{]/.test(body.trim());
  return looksLikeJson && !isJsonBody(body) ? 'is not valid JSON' : null;
}

// Headers that Cuebird or HTTP sets: a custom value would break the request or the signature.
const reserved =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|http2-settings|expect|te|trailer|webhook-.*|proxy-.*|cuebird-.*)$/;

function parseHeaders(text: string, check: z.RefinementCtx): string[] {
  const refuse = (message: string) => {
    check.addIssue({ code: 'custom', message });
    return [];
  };
  if (text.trim() === '') return [];
  const parsed = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).safeParse(parseJson(text));
  if (!parsed.success) return refuse('must be a JSON object such as {"X-Api-Key": "…"}');
  const seen = new Set<string>();
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parsed.data)) {
    const lower = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower)) return refuse(`“${name}” is not a header name`);
    if (reserved.test(lower)) return refuse(`the header “${name}” is set by Cuebird`);
    if (seen.has(lower)) return refuse(`the header “${name}” is listed twice`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
      return refuse(`the value of “${name}” must be one line of Latin text`);
    seen.add(lower);
    pairs.push(name, String(value));
  }
  return pairs;
}

function parseOrigins(text: string, check: z.RefinementCtx): string[] {
  const written = text.split(/[\s,]+/).filter((part) => part !== '');
  if (written.length > maxOrigins) {
    check.addIssue({ code: 'custom', message: `must be at most ${maxOrigins} origins` });
    return [];
  }
  return written.flatMap((part) => {
    const origin = originIn(part);
    if (origin !== null) return [origin];
    const shown = part.slice(0, 100);
    check.addIssue({ code: 'custom', message: `“${shown}” is not an origin such as https://hooks.example.com` });
    return [];
  });
}

/**
 * Accepts a scheme, a host and an optional port, and nothing else: a path would suggest a narrower rule than there is.
 */
function originIn(text: string): string | null {
  const url = URL.parse(text);
  if (!url || text.length > 300 || !/^https?:$/.test(url.protocol)) return null;
  const isBare = url.pathname === '/' && !/[@?#*\\]/.test(text);
  return isBare ? url.origin : null;
}

function isUsableSecret(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(secret.slice('whsec_'.length));
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
