import { describe, expect, it } from 'vitest';
import { numberIn, numberProblem } from './number-text.ts';

describe('the text of a number field', () => {
  const whole = { isWhole: true, min: 1, max: 1_000_000 };

  it.each([
    ['15', 15],
    [' 15 ', 15],
    ['1,500', 1500],
    ['1,000,000', 1_000_000],
    ['-3', -3],
    ['1.5', '1.5'],
    ['1,5', '1,5'],
    ['12,34', '12,34'],
    ['1e3', '1e3'],
    ['ten', 'ten'],
    ['', ''],
    ['9'.repeat(16), '9'.repeat(16)],
  ])('says as a whole number: %s', (text, value) => {
    expect(numberIn(text, whole)).toBe(value);
  });

  it.each([
    ['1.5', 1.5],
    ['0.50', 0.5],
    ['.5', 0.5],
    ['1.', 1],
    ['-1', -1],
    ['1,5', '1,5'],
    ['1,500', '1,500'],
    ['.', '.'],
    ['0x10', '0x10'],
  ])('says as any number: %s', (text, value) => {
    expect(numberIn(text, {})).toBe(value);
  });

  it('is refused with what would be right, and an empty one is not', () => {
    expect(numberProblem('1.5', whole)?.sentence).toBe('must be a whole number');
    expect(numberProblem('1,5', {})?.sentence).toBe('must be a number');
    expect(numberProblem('0', whole)?.sentence).toBe('must be from 1 to 1,000,000');
    expect(numberProblem('-1', { min: 0 })?.sentence).toBe('must be at least 0');
    expect(numberProblem('11', { max: 10 })?.sentence).toBe('must be at most 10');
    for (const text of ['', ' ', '1', '1,000,000']) expect(numberProblem(text, whole)).toBeNull();
  });
});
