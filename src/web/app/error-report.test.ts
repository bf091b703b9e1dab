import { expect, it } from 'vitest';
import { framesOf } from './error-report.ts';

const origin = 'https://cue.example.com';

it.each([
  [
    'Chromium',
    `TypeError: the rent of Dana at ${origin}
    at render (${origin}/assets/Jobs-3fA9.js:1:2034)
    at async Object.load (${origin}/assets/a.js:2:3)
    at ${origin}/assets/b.js:4:5
    at other (https://elsewhere.example.com/c.js:1:1)`,
  ],
  [
    'Firefox',
    `render@${origin}/assets/Jobs-3fA9.js:1:2034
Object.load@${origin}/assets/a.js:2:3
@${origin}/assets/b.js:4:5`,
  ],
])('an error in %s is reported by where its code stands', (_, stack) => {
  expect(framesOf(stack, { origin })).toEqual([
    'render /assets/Jobs-3fA9.js:1:2034',
    'Object.load /assets/a.js:2:3',
    '/assets/b.js:4:5',
  ]);
});

it('of an error at most twenty places are reported', () => {
  expect(framesOf(`x@${origin}/a.js:1:1\n`.repeat(50), { origin })).toHaveLength(20);
});
