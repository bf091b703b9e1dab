import { expect, it } from 'vitest';
import { initialOf } from './initial.ts';

it.each([
  [' riverside', 'R'],
  ['📦 Lager', '📦'],
  ['👩‍👩‍👧‍👦 Family', '👩‍👩‍👧‍👦'],
  ['é (as two code points)', 'É'],
  ['مساحة', 'م'],
  ['', ''],
])('the initial of "%s" is "%s"', (name, initial) => {
  expect(initialOf(name).normalize()).toBe(initial);
});
