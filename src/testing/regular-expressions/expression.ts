/** A regular expression as a tree (ECMA-262, section 22.2.1). A `set` is anything that matches one character. */
export type Expression =
  | { kind: 'set'; source: string }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; options: Expression[] }
  | { kind: 'repeat'; body: Expression; min: number; max: number }
  | { kind: 'look'; body: Expression; isAhead: boolean; isNegative: boolean }
  | { kind: 'edge'; edge: '^' | '$' | 'b' | 'B' };

/** @param pattern a pattern that `new RegExp` accepts; it is not validated */
export function parseExpression(pattern: string, flags: string): Expression {
  const isUnicode = /[uv]/.test(flags);
  const groups = new Map<string, Expression>();
  let at = 0;
  let groupCount = 0;

  const taken = (text: string) => {
    if (!pattern.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const takenMatch = (expected: RegExp) => {
    const sticky = new RegExp(expected.source, 'y');
    sticky.lastIndex = at;
    const match = sticky.exec(pattern);
    if (match !== null) at = sticky.lastIndex;
    return match;
  };

  function choice(): Expression {
    const options = [sequence()];
    while (taken('|')) options.push(sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  function sequence(): Expression {
    const parts: Expression[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(repeated(term()));
    return { kind: 'sequence', parts };
  }

  function repeated(body: Expression): Expression {
    const found = takenMatch(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (found === null) return body;
    const [, sign, least = '', comma, most = ''] = found;
    if (sign !== undefined)
      return { kind: 'repeat', body, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    const max = comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', body, min: Number(least), max };
  }

  function term(): Expression {
    if (taken('^')) return { kind: 'edge', edge: '^' };
    if (taken('$')) return { kind: 'edge', edge: '$' };
    if (taken('(')) return group();
    if (pattern[at] === '[') return set(characterClass());
    if (pattern[at] === '\\') return escape();
    const character = isUnicode ? String.fromCodePoint(pattern.codePointAt(at) ?? 0) : (pattern[at] ?? '');
    at += character.length;
    return set(/[{}\]/]/.test(character) ? `\\${character}` : character);
  }

  function group(): Expression {
    const look = takenMatch(/\?(<?)([=!])/);
    if (look !== null) return { kind: 'look', body: closed(), isAhead: look[1] === '', isNegative: look[2] === '!' };
    if (takenMatch(/\?[a-z-]*:/) !== null) return closed();
    const name = takenMatch(/\?<([^>]+)>/)?.[1];
    groupCount += 1;
    const number = groupCount;
    const body = closed();
    groups.set(String(number), body);
    if (name !== undefined) groups.set(name, body);
    return body;
  }

  function closed(): Expression {
    const body = choice();
    taken(')');
    return body;
  }

  function escape(): Expression {
    const edge = takenMatch(/\\([bB])/)?.[1];
    if (edge === 'b' || edge === 'B') return { kind: 'edge', edge };
    const reference = takenMatch(/\\(?:k<([^>]+)>|([1-9]\d*))/);
    // A back reference matches at most what its group can match.
    if (reference !== null) return groups.get(reference[1] ?? reference[2] ?? '') ?? { kind: 'sequence', parts: [] };
    const source =
      takenMatch(/\\(?:u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[^])/)?.[0] ?? '\\\\';
    return set(source);
  }

  function characterClass(): string {
    const from = at;
    let depth = 0;
    do {
      if (pattern[at] === '\\') at += 1;
      else if (pattern[at] === '[' && (depth === 0 || flags.includes('v'))) depth += 1;
      else if (pattern[at] === ']') depth -= 1;
      at += 1;
    } while (depth > 0 && at < pattern.length);
    return pattern.slice(from, at);
  }

  return choice();
}

const set = (source: string): Expression => ({ kind: 'set', source });

/** Whether the length of a match has no bound. */
export function isUnbounded(part: Expression): boolean {
  switch (part.kind) {
    case 'set':
    case 'edge':
      return false;
    case 'sequence':
      return part.parts.some(isUnbounded);
    case 'choice':
      return part.options.some(isUnbounded);
    case 'repeat':
      return part.max === Number.POSITIVE_INFINITY || isUnbounded(part.body);
    case 'look':
      return isUnbounded(part.body);
    default:
      return part satisfies never;
  }
}
