import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffWords, type Part } from './diff.ts';

const shown = (parts: readonly Part[]) =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `[+${text}]` : `[-${text}]`)).join('');

describe('the difference between two texts', () => {
  it.each([
    ['Dear Dana', 'Dear Dana', 'Dear Dana'],
    ['', 'New text', '[+New text]'],
    ['Old text', '', '[-Old text]'],
    ['The rent is due', 'The rent of June is due', 'The rent [+of June ]is due'],
    ['Dear {{name}}, hello', 'Dear {{first_name}}, hello', 'Dear [-{{name}}][+{{first_name}}], hello'],
    ['one\ntwo\nthree', 'one\nthree', 'one\n[-two\n]three'],
    ['pay the old rent now', 'pay a new rent now', 'pay [-the old][+a new] rent now'],
    ['Zürich', 'Zurich', '[-Zürich][+Zurich]'],
  ])('of %j and %j', (before, after, expected) => {
    expect(shown(diffWords(before, after))).toBe(expected);
  });

  it('contains both texts completely', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '{{a}}', '.', 'ü', '🐦'), { maxLength: 40 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join(''), other.join('')];
        const parts = diffWords(before, after);
        const without = (kind: Part['kind']) =>
          parts
            .filter((part) => part.kind !== kind)
            .map((part) => part.text)
            .join('');
        expect([without('added'), without('removed')]).toEqual([before, after]);
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });

  it('of long, unrelated texts is computed quickly', () => {
    const [before, after] = ['a ', 'b '].map((word) => word.repeat(50_000));
    expect(diffWords(before ?? '', after ?? '').filter(({ kind }) => kind === 'added')).not.toEqual([]);
  });
});
