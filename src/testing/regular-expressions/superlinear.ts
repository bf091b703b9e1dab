import { type Automaton, automatonOf, edge, type Letter } from './automaton.ts';
import { isUnbounded, parseExpression } from './expression.ts';

/**
 * Why a search with this expression can take more than linear time, or null. It can when one repeated text has a growing number of readings
 * before the match fails: from p back to p, from p to q, and from q back to q (Weber and Seidl, "On the degree of ambiguity of finite
 * automata", 1991). A search can start at every position, which adds one more reading. The analysis also reports expressions that can
 * never fail; it never reports a bounded repetition that is linear.
 */
export function superlinear(pattern: string, flags: string): string | null {
  const expression = parseExpression(pattern, flags);
  if (!isUnbounded(expression)) return null;
  const automaton = automatonOf(expression, { pattern, flags });
  const graph = graphOf(automaton);
  const pump = twiceBack(graph) ?? twoPaths(graph);
  if (pump !== null) return `many times ${JSON.stringify(pump)}`;
  return automaton.beyond;
}

type Moves = Map<number, number>;
type Graph = {
  lasts: Letter[];
  letters: string[];
  nodes: number[];
  moves(from: number, last: Letter, letter: Letter): Moves;
  /** For each node, all nodes that can follow it. */
  closures: ReadonlyMap<number, ReadonlySet<number>>;
  /** For each node, the number of its cycle. */
  cycles: Map<number, number>;
};

function graphOf(automaton: Automaton): Graph {
  const { search, letters, hasGuards } = automaton;
  const all = letters.map((_, letter) => letter);
  const known: (Moves | undefined)[] = [];
  const moves = (from: number, last: Letter, letter: Letter): Moves => {
    const key = (from * (letters.length + 1) + (hasGuards ? last + 1 : 0)) * letters.length + letter;
    const before = known[key];
    if (before !== undefined) return before;
    const on = { last, letter };
    // A path that has matched ends here, because the matcher tries no other path.
    const found = from !== search && automaton.accepts(from, on) ? new Map() : automaton.next(from, on);
    known[key] = found;
    return found;
  };
  const lasts = hasGuards ? all : [edge];
  const reach = new Map<number, Set<number>>();
  const waiting = [search];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    if (reach.has(from)) continue;
    const to = new Set<number>();
    reach.set(from, to);
    for (const last of hasGuards ? [edge, ...all] : [edge])
      for (const letter of all) for (const each of moves(from, last, letter).keys()) to.add(each);
    waiting.push(...to);
  }
  const closures = new Map([...reach.keys()].map((from) => [from, closureOf(from, reach)]));
  return { lasts, letters, nodes: [...reach.keys()], moves, closures, cycles: cyclesOf(closures) };
}

/** The strongly connected components. */
function cyclesOf(closures: ReadonlyMap<number, ReadonlySet<number>>): Map<number, number> {
  const cycles = new Map<number, number>();
  for (const [from, closure] of closures)
    if (closure.has(from)) {
      const first = [...closure].filter((to) => closures.get(to)?.has(from) === true);
      cycles.set(from, Math.min(...first));
    }
  return cycles;
}

function closureOf(from: number, reach: ReadonlyMap<number, ReadonlySet<number>>): Set<number> {
  const closure = new Set<number>();
  const waiting = [...(reach.get(from) ?? [])];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (closure.has(at)) continue;
    closure.add(at);
    waiting.push(...(reach.get(at) ?? []));
  }
  return closure;
}

/** A letter that returns to a node of a cycle on two paths. */
function twiceBack({ nodes, lasts, letters, moves, cycles }: Graph): string | null {
  for (const from of nodes)
    for (const last of lasts)
      for (const [letter, text] of letters.entries())
        for (const [to, pathCounts] of moves(from, last, letter))
          if (pathCounts > 1 && cycles.has(from) && cycles.get(from) === cycles.get(to)) return text;
  return null;
}

type Three = { at: readonly [number, number, number]; last: Letter; text: string };

/** A text that leads from p to p, from p to q and from q to q. */
function twoPaths(graph: Graph): string | null {
  const { nodes, closures, cycles, lasts } = graph;
  const cyclic = nodes.filter((node) => cycles.has(node));
  for (const p of cyclic)
    for (const q of cyclic)
      if (p !== q && closures.get(p)?.has(q) === true)
        for (const last of lasts) {
          const pump = pumpBetween(graph, { p, q, last });
          if (pump !== null) return pump;
        }
  return null;
}

function pumpBetween(graph: Graph, { p, q, last: first }: { p: number; q: number; last: Letter }): string | null {
  const { letters, moves, cycles } = graph;
  const seen = new Set<string>();
  const waiting: Three[] = [{ at: [p, p, q], last: first, text: '' }];
  for (const { at, last, text } of waiting) {
    for (const [letter, character] of letters.entries())
      for (const a of within(moves(at[0], last, letter), p, cycles))
        for (const c of within(moves(at[2], last, letter), q, cycles))
          for (const b of moves(at[1], last, letter).keys()) {
            const now = graph.lasts.length === 1 && graph.lasts[0] === edge ? edge : letter;
            if (a === p && b === q && c === q && now === first) return text + character;
            const key = `${a},${b},${c},${now}`;
            if (seen.has(key)) continue;
            seen.add(key);
            waiting.push({ at: [a, b, c], last: now, text: text + character });
          }
  }
  return null;
}

function within(moves: Moves, node: number, cycles: ReadonlyMap<number, number>): number[] {
  return [...moves.keys()].filter((to) => cycles.get(to) === cycles.get(node));
}
