import fc from 'fast-check';

/** Texts that commonly cause errors. */
export const awkwardText = fc.constantFrom(
  '',
  ' ',
  '\0',
  '\ud800',
  '𝒳'.repeat(60),
  'x'.repeat(120_000),
  '__proto__',
  '{{recipient_name}}',
  '{% for x in (1..99999999) %}{% endfor %}',
  '9'.repeat(400),
  '-1',
  '1e309',
  '0000-01-01T00:00:00Z',
  '9998-12-31T23:59:59',
  '* * * * *',
  '0 0 30 2 *',
  'Asia/Kathmandu',
  'scheduled',
  'custom',
  'once',
  'http://[::1]:99999/',
  'http://user@127.0.0.1/',
  'smtp',
  "'; drop table jobs; --",
);

const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });

const awkwardValue = fc.oneof(
  awkwardText,
  anything,
  fc.constantFrom<unknown>(null, true, 0, -0, -1, 1e308, 2 ** 53, 0.1, [], {}, [[]], { '': '' }, { 'a\0b': 1 }),
);

type Change = { at: number; how: 'text' | 'replace' | 'add' | 'remove'; text: string; value: unknown };

/** Texts are mostly replaced by texts, so that an invalid value passes the first type check. */
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('text', 'text', 'text', 'replace', 'add', 'remove'),
  text: awkwardText,
  value: awkwardValue,
});

/** A valid body with one or two of its values, at any depth, replaced, added or removed. */
export const spoilt = (body: unknown) =>
  fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) => changes.reduce(spoil, body));

function spoil(body: unknown, how: Change): unknown {
  const paths = pathsOf(body).filter((path) => how.how !== 'text' || typeof valueAt(body, path) === 'string');
  return changeAt(body, paths[how.at % paths.length] ?? [], how);
}

const valueAt = (body: unknown, path: readonly string[]) =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : value),
    body,
  );

/** The path of every value, beginning with the empty path of the root. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => pathsOf(part).map((rest) => [key, ...rest]))];
}

function changeAt(body: unknown, [key, ...rest]: string[], change: Change): unknown {
  if (key === undefined || typeof body !== 'object' || body === null) {
    if (change.how === 'text') return change.text;
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return change.how === 'add' && isObject ? { ...body, added: change.value } : change.value;
  }
  const entries = Object.entries(body).flatMap(([name, part]) => {
    if (name !== key) return [[name, part]];
    return change.how === 'remove' && rest.length === 0 ? [] : [[name, changeAt(part, rest, change)]];
  });
  return Array.isArray(body) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
