import { describe, expect, it } from 'vitest';
import { eventDataLimits } from '#contract/events.ts';
import { variablesOf } from '#domain/event-data.ts';
import { unmarked } from '#domain/message-format/marked-values.ts';
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
    [
      'a list of plain values is one text, and each of them',
      { tags: ['a', 2, null, true] },
      { tags: 'a, 2, true', 'tags.0': 'a', 'tags.1': '2', 'tags.2': 'true' },
    ],
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

  it.each([
    ['{% for x in items %}{{x.name}};{% endfor %}', 'disk;cpu;'],
    [
      '{% for x in items %}{{forloop.index}}/{{forloop.length}} {{ x.name | upcase }};{% endfor %}',
      '1/2 DISK;2/2 CPU;',
    ],
    [
      '{% for x in items %}{% for t in x.tags %}{{t}} of {{x.name}};{% endfor %}{% endfor %}',
      'a of disk;b of disk;c of cpu;',
    ],
    ['{% for t in tags %}<{{t}}>{% endfor %}', '<red>< b, c ><7>'],
    ['{% for t in tags reversed limit:2 %}{{t}};{% endfor %}', ' b, c ;red;'],
    ['{% tablerow t in order.codes %}{{t}}{% endtablerow %}', /<td class="col1">x<\/td><td class="col2">y<\/td>/],
    ['{% for t in order.codes %}{{t}}{% else %}none{% endfor %}', 'xy'],
    [
      '{{tags}} {{ tags | upcase }} {{ tags.size }} {% if tags contains "red" %}yes{% endif %}',
      'red,  b, c , 7 RED,  B, C , 7 14 yes',
    ],
    ['{% assign parts = tags | split: ", " %}{% for t in parts %}{{t}};{% endfor %}', 'red; b;c ;7;'],
    ['{{items[1].name}} {{items.0.name}} {{items.size}} {{items.first.name}}', 'cpu disk 2 disk'],
  ])('is looped over in %j', (template, expected) => {
    const taken = variablesOf({
      items: [
        { name: 'disk', tags: ['a', 'b'] },
        { name: 'cpu', tags: ['c'] },
      ],
      tags: ['red', ' b, c ', 7],
      order: { codes: ['x', 'y'] },
    });
    for (const marksValues of [false, true]) {
      const rendered = render(template, 'values' in taken ? taken.values : {}, { marksValues });
      const text = rendered.kind === 'rendered' ? unmarked(rendered.text) : rendered;
      expect(text).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    }
  });

  it.each([
    [{ items: [{ name: 'disk' }, { size: 1 }] }, '{% for x in items %}{{x.name}}{% endfor %}', 'x.name'],
    [{}, '{% for x in items %}{{x.name}}{% endfor %}', 'items'],
    [{ items: [{ name: 'disk' }, null] }, '{% for x in items %}{{x.name}}{% endfor %}', null],
  ])('lacks what a loop needs (%j)', (data, template, variable) => {
    const taken = variablesOf(data);
    const expected = variable === null ? { kind: 'rendered', text: 'disk' } : { kind: 'missing', variable };
    expect(render(template, 'values' in taken ? taken.values : {})).toEqual(expected);
  });

  it('is no list where a text of a contact or of the reminder is in its place', () => {
    const taken = variablesOf({ tags: ['a', 'b'] });
    const values = { ...('values' in taken ? taken.values : {}), tags: 'all' };
    expect(render('{% for t in tags %}{{t}};{% endfor %}', values)).toEqual({ kind: 'rendered', text: 'all;' });
  });

  it('has lists that count each of their values, and their characters once', () => {
    const list = (length: number, part: string) => variablesOf({ tags: Array.from({ length }, () => part) });
    expect(list(999, 'x'.repeat(8))).toHaveProperty('values');
    expect(list(1000, 'x')).toEqual({ problem: { path: '', message: 'must not hold more than 1000 values' } });
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
