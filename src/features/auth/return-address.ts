import type { Origins } from '#features/auth/auth.origins.ts';
import { Invalid } from '#platform/errors.ts';

/** The names of every return address that better-auth reads from a body or a query. */
const names = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'] as const;

const maxLength = 500;

type Trust = Pick<Origins, 'trusts'>;

/** The body with its return addresses in ASCII. Throws Invalid with the name of one that leads elsewhere or nowhere. */
export function withReturnAddresses(body: unknown, trust: Trust): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const given = new Map<string, unknown>(Object.entries(body));
  const checked = names
    .filter((name) => given.has(name))
    .map((name) => [name, addressOf({ name, value: given.get(name) }, trust)]);
  return { ...body, ...Object.fromEntries(checked) };
}

/** `withReturnAddresses` for the query of a URL. */
export function withReturnQuery(href: string, trust: Trust): string {
  const url = new URL(href);
  for (const name of names) {
    const values = url.searchParams.getAll(name);
    if (values.length > 1) throw new Invalid([{ path: name, message: 'is given more than once' }]);
    for (const value of values) url.searchParams.set(name, addressOf({ name, value }, trust));
  }
  return url.href;
}

function addressOf({ name, value }: { name: string; value: unknown }, trust: Trust): string {
  const address = typeof value === 'string' && value.length <= maxLength ? ownAddress(value, trust) : null;
  if (address === null)
    throw new Invalid([
      { path: name, message: 'must be a path of this site, such as /dashboard, or a whole address of it' },
    ]);
  return address;
}

const elsewhere = 'https://path.invalid';
const unsafe = /[\p{Cc}\\]/u;
/** Encoded slashes, which only a later reader of the path would see, and NUL, which no page expects. */
const hidden = /%(?:2f|5c|00)/i;

function ownAddress(value: string, { trusts }: Trust): string | null {
  if (unsafe.test(value) || !value.isWellFormed()) return null;
  const isPath = value.startsWith('/');
  const url = URL.parse(value, isPath ? elsewhere : undefined);
  if (url === null || hidden.test(url.pathname) || !isDecodable(url.pathname + url.search + url.hash)) return null;
  if (url.username !== '' || url.password !== '') return null;
  // A path that begins with two slashes would be read as a host by the browser.
  if (url.pathname.startsWith('//')) return null;
  if (!isPath) return /^https?:$/.test(url.protocol) && trusts(url.origin) ? url.href : null;
  return url.origin === elsewhere ? url.pathname + url.search + url.hash : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
