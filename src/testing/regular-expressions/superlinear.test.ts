import { describe, expect, it } from 'vitest';
import { expressionsIn } from './expressions-in.ts';
import { superlinear } from './superlinear.ts';

const reasonOf = ({ source, flags }: RegExp) => superlinear(source, flags);

describe('a regular expression', () => {
  it.each([
    // Exponential time.
    /^(a*)*$/,
    /^(a|a)*$/,
    /^(a+)+b/,
    /^(\w+\s?)*$/,
    // Two loops that share characters.
    /^[^\s]+@[^\s]+$/,
    /^\d+-?\d+$/,
    /^\s*(.*?)\s*$/,
    /(.)\1+x/s,
    // A loop that can start at every position.
    /\s+$/,
    /\s*=\s*/,
    /\s*,\s*/,
    /<!--[\s\S]*?-->/g,
    /[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+/g,
    /\w+\b=/,
    /(?=.*x)y/,
    /(?<=a+)b/,
    /(?:\r?\n)+$/,
  ])('%s is found to take more than linear time', (expression) => {
    expect(reasonOf(expression)).not.toBeNull();
  });

  it.each([
    /\s+/g,
    /^\s+/,
    /"[^"]*"/,
    /[^a]*b/y,
    // The loop starts only once in a run.
    /(?<!\s)\s+$/,
    /\b\w+=/,
    /(?<!\w)\w+=/,
    // Adjacent loops that share no character.
    /^[^@\s]+@[^@\s]+$/,
    /^(?:[a-z]+\.)+[a-z]+$/i,
    /^[a-z]+(?:-[a-z]+)*$/,
    /\{\{\s*([A-Za-z_](?:[\w-]*\w)?)\s*\}\}/g,
    /\p{L}+/u,
    /(?:a?){0,500}/,
  ])('%s is found to be linear', (expression) => {
    expect(reasonOf(expression)).toBeNull();
  });

  it('is reported with a text that causes the slow match when repeated', () => {
    const pump = JSON.parse(reasonOf(/<!--[\s\S]*?-->/g)?.replace('many times ', '') ?? '""');
    expect(pump).toMatch(/^<!--/);
  });
});

describe('a source', () => {
  it('is searched for literal and constructed expressions, with its constants resolved', () => {
    const source = [
      'const letter = String.raw`[a-z\\d]`;',
      'export const words = /x+/gi;',
      'const made = new RegExp(`^${letter}+$`, "u");',
      'const unknown = (name: string) => RegExp(name);',
    ].join('\n');
    expect(expressionsIn('a.ts', source)).toEqual([
      { line: 2, text: '/x+/gi', pattern: 'x+', flags: 'gi' },
      { line: 3, text: 'new RegExp(`^${letter}+$`, "u")', pattern: '^[a-z\\d]+$', flags: 'u' },
      { line: 4, text: 'RegExp(name)', pattern: null, flags: '' },
    ]);
  });
});
