/** How much is parsed at a time, in characters, and after how many others are served. */
const stretchLength = 16 * 1024;
const stepLength = 2 * 1024;

/** The most that a text may hold; `refuse` makes the error of one that holds more. */
export type JsonBounds = {
  /** Values, including those within lists and objects. */
  values: number;
  /** How deeply lists and objects may be nested. */
  depth: number;
  /** Names of one object. */
  names: number;
  /** Characters of one name. */
  name: number;
  refuse: (problem: string) => Error;
};

/** A list or an object that has begun. What was parsed of it is in `parts` once it was too long to be parsed at once. */
type Open = {
  isObject: boolean;
  start: number;
  /** Where the text begins that is not parsed yet, and where the latest member of it begins. */
  from: number;
  member: number;
  names: number;
  parts: unknown[] | null;
  /** Whether the latest member is parsed already. */
  isMemberParsed: boolean;
};

type Parsed = { value: unknown; start: number; end: number };

const [quote, backslash, comma, letterU] = [0x22, 0x5c, 0x2c, 0x75];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Parses JSON as `JSON.parse` does, in short steps, since millions of values take seconds: a list or an object that is long is parsed some members at a
 * time, a long string in pieces. Throws SyntaxError, and what `refuse` returns.
 */
export function* readJson(
  text: string,
  { values: mostValues, depth, names, name, refuse }: JsonBounds,
  stretch = stretchLength,
): Generator<void, unknown> {
  const open: Open[] = [];
  let root: Parsed | null = null;
  let [values, step] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (at - step >= stepLength) {
      step = at;
      yield;
    }
    switch (text.charCodeAt(at)) {
      case quote: {
        const start = at;
        for (at += 1; at < text.length && text.charCodeAt(at) !== quote; at += 1) {
          if (text.charCodeAt(at) === backslash) at += 1;
          if (at - start <= stretch) continue;
          const of = open.at(-1);
          const isName = of?.isObject === true && isBlank(text.slice(of.member, start));
          if (isName && at - start <= name) continue;
          if (isName) throw refuse(`has a name of more than ${name} characters`);
          const value = yield* readString(text, { start, stretch });
          at = value.end - 1;
          step = at;
          if (of === undefined) root = value;
          else takeParsed(text, { of, ...value });
          break;
        }
        break;
      }
      case openList:
      case openObject:
        values += 1;
        open.push(begun(at, text.charCodeAt(at) === openObject));
        break;
      case closeList:
      case closeObject: {
        const ended = open.pop();
        if (ended === undefined || ended.isObject !== (text.charCodeAt(at) === closeObject)) throw broken();
        if (ended.parts === null) break;
        takeMembers(text, { of: ended, to: at });
        const value = { value: valueOf(ended), start: ended.start, end: at + 1 };
        const parent = open.at(-1);
        if (parent === undefined) root = value;
        else takeParsed(text, { of: parent, ...value });
        break;
      }
      case comma: {
        const of = open.at(-1);
        values += 1;
        if (of === undefined) break;
        of.names += 1;
        if (of.isObject && of.names > names) throw refuse(`has an object of more than ${names} names`);
        if (of.isMemberParsed || at - of.from >= stretch) {
          takeMembers(text, { of, to: at });
          of.from = at + 1;
        }
        of.member = at + 1;
        break;
      }
      default:
    }
    if (open.length > depth) throw refuse(`is nested more than ${depth} levels deep`);
    if (values > mostValues) throw refuse(`holds more than ${mostValues} values`);
  }
  if (root === null) {
    yield;
    return JSON.parse(text);
  }
  if (open.length > 0 || !isBlank(text.slice(0, root.start)) || !isBlank(text.slice(root.end))) throw broken();
  return root.value;
}

/** Parses the string that begins at `start` in pieces, none of which ends within an escape. */
function* readString(text: string, { start, stretch }: { start: number; stretch: number }): Generator<void, Parsed> {
  const pieces: unknown[] = [];
  let from = start + 1;
  let at = from;
  for (; at < text.length && text.charCodeAt(at) !== quote; at += lengthAt(text, at)) {
    if (at - from < stretch) continue;
    pieces.push(JSON.parse(`"${text.slice(from, at)}"`));
    from = at;
    yield;
  }
  pieces.push(JSON.parse(`"${text.slice(from, at + 1)}`));
  return { value: pieces.join(''), start, end: at + 1 };
}

/** How many characters of the text one character of the string takes. */
const lengthAt = (text: string, at: number) =>
  text.charCodeAt(at) !== backslash ? 1 : text.charCodeAt(at + 1) === letterU ? 6 : 2;

const begun = (at: number, isObject: boolean): Open => ({
  isObject,
  start: at,
  from: at + 1,
  member: at + 1,
  names: 1,
  parts: null,
  isMemberParsed: false,
});

/** Parses the members that are not parsed yet, up to the end of one. */
function takeMembers(text: string, { of, to }: { of: Open; to: number }): void {
  const members = text.slice(of.from, to);
  if (of.isMemberParsed) {
    if (!isBlank(members)) throw broken();
    of.isMemberParsed = false;
    return;
  }
  if (isBlank(members)) throw broken();
  of.parts ??= [];
  const parsed: object = JSON.parse(of.isObject ? `{${members}}` : `[${members}]`);
  for (const part of of.isObject ? Object.entries(parsed) : Object.values(parsed)) of.parts.push(part);
}

/** Takes a member whose value was parsed in parts, after the members before it. */
function takeParsed(
  text: string,
  { of, value, start, end }: { of: Open; value: unknown; start: number; end: number },
): void {
  if (of.isMemberParsed) throw broken();
  if (of.member > of.from) takeMembers(text, { of, to: of.member - 1 });
  of.parts ??= [];
  const before = text.slice(of.member, start);
  of.parts.push(of.isObject ? [nameIn(before), value] : value);
  if (!of.isObject && !isBlank(before)) throw broken();
  of.from = end;
  of.member = end;
  of.isMemberParsed = true;
}

function nameIn(text: string): unknown {
  const colon = text.lastIndexOf(':');
  const name: unknown = colon !== -1 && isBlank(text.slice(colon + 1)) ? JSON.parse(text.slice(0, colon)) : null;
  if (typeof name !== 'string') throw broken();
  return name;
}

/** As `JSON.parse` does, of several members with one name the last one counts, and `__proto__` is a name as any other. */
function valueOf({ isObject, parts }: Open): unknown {
  return isObject ? Object.fromEntries(parts?.filter(isEntry) ?? []) : parts;
}

const isEntry = (part: unknown): part is [string, unknown] => Array.isArray(part);

const isBlank = (text: string) => /^[ \t\r\n]*$/.test(text);

const broken = () => new SyntaxError('the end or the beginning of a list or an object is missing');
