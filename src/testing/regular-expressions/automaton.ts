import { type Expression, isUnbounded } from './expression.ts';

/** A class of characters that the expression treats alike. */
export type Letter = number;
/** The position before the first or after the last character. */
export const edge: Letter = -1;

type Guard = (last: Letter, next: Letter) => boolean;
type Node = { steps: { to: number; guard: Guard | null }[]; letters: { set: string; to: number }[] };

/** An expression as the state machine of a backtracking matcher that searches from every position of a text. */
export type Automaton = {
  /** One character of each letter. */
  letters: string[];
  hasGuards: boolean;
  /** The start node of a search; it accepts every letter and returns to itself. */
  search: number;
  /** Nodes that are reached from `from` by a letter, each with the number of paths (2 means two or more). */
  next(from: number, on: { last: Letter; letter: Letter }): Map<number, number>;
  /** Whether the expression has matched in node `at`, between these two letters. */
  accepts(at: number, on: { last: Letter; letter: Letter }): boolean;
  /** A construct that this analysis does not support. */
  beyond: string | null;
};

export function automatonOf(expression: Expression, { pattern, flags }: { pattern: string; flags: string }): Automaton {
  const sets = new Set<string>(['\\w', '[\\n\\r\\u2028\\u2029]']);
  const nodes: Node[] = [];
  let hasGuards = false;
  let beyond: string | null = null;

  const node = () => nodes.push({ steps: [], letters: [] }) - 1;
  const step = (from: number, to: number, guard: Guard | null = null) => nodes[from]?.steps.push({ to, guard });

  /** Adds the expression after node `from`, and returns its end node. */
  function add(part: Expression, from: number): number {
    switch (part.kind) {
      case 'set': {
        sets.add(part.source);
        const to = node();
        nodes[from]?.letters.push({ set: part.source, to });
        return to;
      }
      case 'sequence':
        return part.parts.reduce((at, each) => add(each, at), from);
      case 'choice': {
        const end = node();
        for (const option of part.options) {
          const begin = node();
          step(from, begin);
          step(add(option, begin), end);
        }
        return end;
      }
      case 'repeat':
        return repeat(part, from);
      case 'edge':
        return guarded(from, guardOf(part) ?? (() => true));
      case 'look':
        return look(part, from);
      default:
        return part satisfies never;
    }
  }

  function repeat({ body, min, max }: Expression & { kind: 'repeat' }, from: number): number {
    // A bounded repetition has a constant cost: three copies show all of its behaviour.
    let at = from;
    for (let time = 0; time < Math.min(min, most); time += 1) at = add(body, at);
    const end = node();
    if (max === Number.POSITIVE_INFINITY) {
      // Two nodes, because an empty repetition is not repeated.
      const begin = node();
      const again = node();
      step(at, end);
      step(at, begin);
      step(add(body, begin), again);
      step(again, begin);
      step(again, end);
      return end;
    }
    for (let time = Math.min(min, most); time < Math.min(max, most); time += 1) {
      step(at, end);
      at = add(body, at);
    }
    step(at, end);
    return end;
  }

  function look(part: Expression & { kind: 'look' }, from: number): number {
    const guard = guardOf(part);
    if (guard !== null) return guarded(from, guard);
    if (part.isAhead) {
      // The lookaround is read without a continuation: its cost counts, its result does not.
      const begin = node();
      step(from, begin);
      add(part.body, begin);
    } else if (isUnbounded(part.body)) beyond = 'it looks behind without a bound';
    const to = node();
    step(from, to);
    return to;
  }

  function guarded(from: number, guard: Guard): number {
    hasGuards = true;
    const to = node();
    step(from, to, guard);
    return to;
  }

  /** The condition of a part that tests one character before or after the position. */
  function guardOf(part: Expression): Guard | null {
    if (part.kind === 'edge') {
      const isMultiline = flags.includes('m');
      const isBreak = (letter: Letter) => letter === edge || (isMultiline && isIn('[\\n\\r\\u2028\\u2029]', letter));
      const isWord = (letter: Letter) => letter !== edge && isIn('\\w', letter);
      switch (part.edge) {
        case '^':
          return (last) => isBreak(last);
        case '$':
          return (_, next) => isBreak(next);
        case 'b':
          return (last, next) => isWord(last) !== isWord(next);
        case 'B':
          return (last, next) => isWord(last) === isWord(next);
        default:
          return part.edge satisfies never;
      }
    }
    if (part.kind !== 'look') return null;
    const inside = asked(part.body, part.isAhead);
    return inside === null ? null : (last, next) => inside(last, next) !== part.isNegative;
  }

  function asked(body: Expression, isAhead: boolean): Guard | null {
    switch (body.kind) {
      case 'set':
        sets.add(body.source);
        return (last, next) => {
          const letter = isAhead ? next : last;
          return letter !== edge && isIn(body.source, letter);
        };
      case 'sequence': {
        const [only] = body.parts;
        return body.parts.length === 1 && only !== undefined ? asked(only, isAhead) : null;
      }
      case 'choice': {
        const options = body.options.map((option) => asked(option, isAhead));
        return options.every((option) => option !== null)
          ? (last, next) => options.some((option) => option(last, next))
          : null;
      }
      case 'edge':
        return guardOf(body);
      case 'repeat':
      case 'look':
        return null;
      default:
        return body satisfies never;
    }
  }

  const search = node();
  const accepted = add(expression, search);
  const { letters, members } = lettersOf(sets, { pattern, flags });
  const isIn = (set: string, letter: Letter) => members.get(set)?.has(letter) === true;
  const isSticky = flags.includes('y');

  /** Counts the paths through nodes without a letter; a path visits each node once. */
  function pathCountsFrom(from: number, { last, letter }: { last: Letter; letter: Letter }): Map<number, number> {
    const pathCounts = new Map<number, number>();
    const path = new Set<number>();
    let budget = 20_000;
    const visit = (at: number) => {
      budget -= 1;
      if (path.has(at) || budget < 0) return;
      path.add(at);
      pathCounts.set(at, Math.min(2, (pathCounts.get(at) ?? 0) + 1));
      for (const { to, guard } of nodes[at]?.steps ?? []) if (guard === null || guard(last, letter)) visit(to);
      path.delete(at);
    };
    visit(from);
    if (budget < 0) beyond = 'there are too many empty ways through it';
    return pathCounts;
  }

  return {
    letters,
    hasGuards,
    search,
    get beyond() {
      return beyond;
    },
    accepts: (at, on) => pathCountsFrom(at, on).has(accepted),
    next(from, on) {
      const reached = new Map<number, number>();
      for (const [at, pathCounts] of pathCountsFrom(from, on))
        for (const { set, to } of nodes[at]?.letters ?? [])
          if (isIn(set, on.letter)) reached.set(to, Math.min(2, (reached.get(to) ?? 0) + pathCounts));
      if (from === search && !isSticky) reached.set(search, 1);
      return reached;
    },
  };
}

const most = 3;

/** Characters in exactly the same sets form one class; JavaScript's own matcher decides membership. */
function lettersOf(sets: ReadonlySet<string>, { pattern, flags }: { pattern: string; flags: string }) {
  const own = flags.replaceAll(/[gymd]/g, '');
  const tests = [...sets].map((set) => ({ set, test: new RegExp(`^(?:${set})$`, own) }));
  const escaped = Array.from(pattern.matchAll(/\\(?:u\{?|x)([\da-fA-F]{2,6})/g), ([, hex]) => parseInt(hex ?? '0', 16));
  const written = Array.from(pattern, (character) => character.codePointAt(0) ?? 0);
  const points = new Set([...ordinary, ...[...escaped, ...written].flatMap((point) => [point - 1, point, point + 1])]);
  const letters: string[] = [];
  const members = new Map<string, Set<Letter>>(tests.map(({ set }) => [set, new Set()]));
  const known = new Set<string>();
  for (const point of points) {
    if (point < 0 || point > 0x10_ff_ff || (point > 0xff_ff && !/[uv]/.test(flags))) continue;
    const character = String.fromCodePoint(point);
    const matching = tests.filter(({ test }) => test.test(character)).map(({ set }) => set);
    const key = matching.join('\n');
    if (known.has(key)) continue;
    known.add(key);
    for (const set of matching) members.get(set)?.add(letters.length);
    letters.push(character);
  }
  return { letters, members };
}

// Letters come first, which makes the examples in findings readable.
const ordinary = Array.from('a0 -', (character) => character.charCodeAt(0)).concat(
  Array.from({ length: 0x250 }, (_, at) => at),
  [0x3b1, 0x431, 0x5d0, 0x5bf, 0x64b, 0x2009, 0x200b, 0x2013, 0x2028, 0x20ac, 0x3000, 0x4e2d, 0xe000, 0xfeff, 0xff0e],
  [0xd800, 0xdc00, 0x1f600, 0x1d7d8],
);
