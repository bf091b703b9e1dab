import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '#platform/json-reader.ts';

const unbounded = {
  values: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  names: Number.POSITIVE_INFINITY,
  name: Number.POSITIVE_INFINITY,
  refuse: (problem: string) => new Error(problem),
};

/** The value, or that there is none, of a text that is parsed so many characters at a time. */
function read(text: string, stretch?: number): unknown {
  try {
    const steps = readJson(text, unbounded, stretch);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return step.value;
  } catch (error) {
    return error instanceof SyntaxError ? SyntaxError : error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return SyntaxError;
  }
}

describe('JSON that is read in steps', () => {
  it('is what JSON.parse makes of it, wherever it is divided', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(3), fc.nat(12), (text, indent, stretch) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        expect(read(spaced, stretch)).toEqual(parsed(spaced));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused where JSON.parse refuses it, and nowhere else', () => {
    const character = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '\n',
      '1',
      '-',
      'null',
      '"a":',
      '""',
      '\u00a0',
    );
    const texts = fc.oneof(
      fc.array(character, { maxLength: 14 }).map((all) => all.join('')),
      fc
        .tuple(fc.json({ maxDepth: 4 }), fc.nat(), character)
        .map(([text, at, other]) => text.slice(0, at % (text.length + 1)) + other + text.slice(at % (text.length + 1))),
      fc
        .tuple(fc.json({ maxDepth: 4 }), fc.nat())
        .map(([text, at]) => text.slice(0, at % text.length) + text.slice((at % text.length) + 1)),
    );
    fc.assert(
      fc.property(texts, fc.nat(6), (text, stretch) => {
        expect(read(text, stretch)).toEqual(parsed(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    '{"__proto__":{"a":[1,2,3,4,5,6,7,8,9]},"b":[1,2,3,4,5,6,7,8]}',
    '{"a":1,"a":[1,2,3,4,5,6,7,8,9],"a":2,"b":"\\u2028,]}"}',
    '[[[[1,2,3,4,5,6,7,8],[]],{}],"\\"],[",[ ] ]',
    '{"name":"\\u0041\\ud83d\\ude00\\\\\\"\\n\\u0042", "other name" : "a longer value" }',
    '[ "a longer value" , "another one", { "a longer name": "😀😀😀" } ]',
  ])('keeps what is special: %s', (text) => {
    const value = read(text, 4);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Array.isArray(value) ? Array.prototype : Object.prototype);
  });
});
