import { describe, expect, it } from 'vitest';
import { eventDataLimits } from '#contract/events.ts';
import { variablesOf } from '#domain/event-data.ts';
import { render } from '#domain/template.ts';

const nested = (depth: number): Record<string, unknown> => (depth === 1 ? { a: 1 } : { a: nested(depth - 1) });

describe('the data of an event', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['text stays text', { name: 'Dana' }, { name: 'Dana' }],
    [
      'numbers and truth become text',
      { n: 12.5, big: 1e21, yes: true, no: false },
      { n: '12.5', big: '1e+21', yes: 'true', no: 'false' },
    ],
    ['null is no value', { amount: null, name: 'Dana' }, { name: 'Dana' }],
    [
      'objects are taken apart',
      { customer: { name: 'Dana', address: { city: 'Bonn' } } },
      { 'customer.name': 'Dana', 'customer.address.city': 'Bonn' },
    ],
    ['a list of plain values is one text', { tags: ['a', 2, null, true] }, { tags: 'a, 2, true' }],
    [
      'a list of objects is numbered',
      { items: [{ price: 1 }, { price: 2 }] },
      { 'items.0.price': '1', 'items.1.price': '2' },
    ],
    ['an empty list is an empty text, an empty object nothing', { tags: [], more: {} }, { tags: '' }],
    ['a name may hold any characters', { 'Order ID': 7, 'ü.x': 1 }, { 'Order ID': '7', 'ü.x': '1' }],
  ])('%s', (_, data, values) => {
    expect(variablesOf(data)).toEqual({ values });
  });

  it('is used by messages under its dotted name', () => {
    const taken = variablesOf({ customer: { name: 'Dana' }, items: [{ price: 4 }] });
    const values = 'values' in taken ? taken.values : {};
    expect(render('{{customer.name}} owes {{ items[0].price }}', values)).toEqual({
      kind: 'rendered',
      text: 'Dana owes 4',
    });
  });

  it('is never parsed as a template', () => {
    const taken = variablesOf({ name: '{{ secret }}{% raw %}' });
    expect(render('Hi {{name}}', 'values' in taken ? taken.values : {})).toEqual({
      kind: 'rendered',
      text: 'Hi {{ secret }}{% raw %}',
    });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['is nested without end', nested(11), 'a.a.a.a.a.a.a.a.a.a', 'is nested too deeply'],
    ['says one thing twice', { 'a.b': 1, a: { b: 2 } }, 'a.b', 'is given twice'],
    ['has a value without a name', { ' ': 1 }, ' ', 'has a value without a name'],
    ['has an endless name', { ['x'.repeat(201)]: 1 }, 'x'.repeat(201), 'has a name of more than 200 characters'],
    ['has an endless value', { a: 'x'.repeat(10_001) }, 'a', 'must be at most 10000 characters'],
    ['holds NUL', { a: { b: 'x\0' } }, 'a.b', 'must not contain the NUL character'],
    ['holds half a character', { a: '\ud800' }, 'a', 'must not contain half of a character (a lone surrogate)'],
    [
      'is a thousand values and one',
      Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`v${n}`, n])),
      '',
      'must not hold more than 1000 values',
    ],
    [
      'is too much in all',
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`v${n}`, 'x'.repeat(9000)])),
      '',
      'must be at most 65536 characters in all',
    ],
  ])('is refused when it %s', (_, data, path, message) => {
    expect(variablesOf(data)).toEqual({ problem: { path, message } });
  });

  it('may be as large as the limit', () => {
    const thousand = Object.fromEntries(Array.from({ length: eventDataLimits.variables }, (_, n) => [`v${n}`, n]));
    expect(variablesOf(thousand)).toHaveProperty('values');
    expect(variablesOf(nested(10))).toEqual({ values: { 'a.a.a.a.a.a.a.a.a.a': '1' } });
  });
});
