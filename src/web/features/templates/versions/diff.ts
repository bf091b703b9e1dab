/** A part of a text that is unchanged, added or removed. */
export type Part = { kind: 'same' | 'added' | 'removed'; text: string };

/** The difference of two texts, word by word; very large changes are one removal and one addition. */
export function diffWords(before: string, after: string): Part[] {
  return joined(diff(wordsOf(before), wordsOf(after)));
}

// Line breaks are words of their own, so that a changed line does not include its neighbours.
const wordsOf = (text: string): string[] =>
  text.match(/\{\{[^{}]*\}\}|\r?\n|[^\S\n]+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

// The table of the longest common subsequence has one cell per pair of words.
const mostCells = 4_000_000;

function diff(before: readonly string[], after: readonly string[]): Part[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  return [
    ...before.slice(0, start).map((text): Part => ({ kind: 'same', text })),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map((text): Part => ({ kind: 'same', text })),
  ];
}

function changed(before: readonly string[], after: readonly string[]): Part[] {
  if (before.length * after.length > mostCells || before.length === 0 || after.length === 0)
    return [
      ...before.map((text): Part => ({ kind: 'removed', text })),
      ...after.map((text): Part => ({ kind: 'added', text })),
    ];
  const width = after.length + 1;
  const common = longestCommon(before, after);
  const at = (one: number, other: number) => common[one * width + other] ?? 0;
  const parts: Part[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    if (one < before.length && other < after.length && before[one] === after[other]) {
      parts.push({ kind: 'same', text: before[one] ?? '' });
      one += 1;
      other += 1;
    } else if (one < before.length && (other === after.length || at(one + 1, other) >= at(one, other + 1))) {
      parts.push({ kind: 'removed', text: before[one] ?? '' });
      one += 1;
    } else {
      parts.push({ kind: 'added', text: after[other] ?? '' });
      other += 1;
    }
  }
  return parts;
}

/** The lengths of the longest common subsequences of all suffixes, row by row. */
function longestCommon(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      common[one * width + other] =
        before[one] === after[other]
          ? (common[(one + 1) * width + other + 1] ?? 0) + 1
          : Math.max(common[(one + 1) * width + other] ?? 0, common[one * width + other + 1] ?? 0);
  return common;
}

/** Merges adjacent parts of the same kind; within a change, removed text comes first. */
function joined(parts: readonly Part[]): Part[] {
  const stretches: Part[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') stretches.push({ kind: 'removed', text: removed });
    if (added !== '') stretches.push({ kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const [at, { kind, text }] of parts.entries()) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (/^[^\S\n]+$/.test(text) && removed !== '' && added !== '' && parts[at + 1]?.kind !== 'same') {
      // A blank between two changed words joins them into one change.
      removed += text;
      added += text;
    } else {
      flush();
      const last = stretches.at(-1);
      if (last?.kind === 'same') last.text += text;
      else stretches.push({ kind: 'same', text });
    }
  }
  flush();
  return stretches;
}
