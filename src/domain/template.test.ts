import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf } from '#domain/liquid.ts';
import { namesIn, render as renderWithin } from '#domain/template.ts';
import { sample } from '#testing/sample.ts';

// Time enough on a busy machine.
const render = (template: string, given: Record<string, string>, budget = budgetOf(60_000)) =>
  renderWithin(template, given, { budget });

const values = { recipient_name: 'Dana', amount: '950', 'due-date': '1 March', größe: 'XL', empty: 'full' };

const text = (template: string, given: Record<string, string> = values) => {
  const rendered = render(template, given);
  if (rendered.kind !== 'rendered') throw new Error(JSON.stringify(rendered));
  return rendered.text;
};
const missing = (variable: string) => ({ kind: 'missing', variable });
const broken = (reason: RegExp) => ({ kind: 'broken', reason: expect.stringMatching(reason) });

describe('a message', () => {
  it('has its placeholders filled', () => {
    expect(text('Dear {{recipient_name}}, {{ amount }} is due on {{  due-date }}.')).toBe(
      'Dear Dana, 950 is due on 1 March.',
    );
    expect(text('{{\n  recipient_name\n}}')).toBe('Dana');
    expect(text('Größe {{ größe }}')).toBe('Größe XL');
  });

  it('finds a value whose name differs in case, spaces and underscores', () => {
    const given = { Amount: '950', MoveInDate: '1 March', other: 'x' };
    const written = [
      '{{amount}}',
      '{{ AMOUNT }}',
      '{{move_in_date}}',
      '{{ Move In Date }}',
      '{{Move in  Date}}',
      '{{ move_inDate }}',
    ];
    const values = ['950', '950', '1 March', '1 March', '1 March', '1 March'];
    expect(written.map((one) => text(one, given))).toEqual(values);
    expect(written.map((one) => text(`{% if other %}{% endif %}${one}`, given))).toEqual(values);
    expect(text('{{ Amount | append: "!" }}{% if move_in_date == "1 March" %}?{% endif %}', given)).toBe('950!?');
    expect(render('{{ Moved In }}', given)).toEqual(missing('Moved_In'));
    // Of two values of one name, the very spelling counts, and else the last.
    expect(text('{{amount}} {{Amount}} {{AMOUNT}}', { Amount: '1', amount: '2' })).toBe('2 1 2');
  });

  it('leaves the operators of Liquid alone', () => {
    expect(text('{{ amount or none }}', { amount: '950', none: '' })).toBe('true');
  });

  it('is read in linear time, whatever its placeholders', () => {
    const texts = ['{{' + 'a '.repeat(50_000), '{{a'.repeat(30_000), '{{ a' + ' '.repeat(100_000) + 'b'];
    for (const one of texts) expect(namesIn(one)).toEqual([]);
  });

  it('may hold braces that are no placeholder', () => {
    for (const template of ['', 'no braces', '{"json": {"a": 1}}', '{ {amount}}', 'a } b', 'set {x}'])
      expect(text(template)).toBe(template);
  });

  it('is the same with and without Liquid', () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w-]{0,6}$/);
    const part = fc.oneof(fc.constantFrom(' ', '{', '}', 'a', '\n', '-', '%'), fc.string({ maxLength: 3 }));
    const placeholder = fc
      .tuple(fc.oneof(name, fc.constantFrom('true', 'empty', 'nil')), fc.constantFrom('', ' ', '\n'))
      .map(([word, blank]) => `{{${blank}${word}${blank}}}`);
    const property = fc.property(
      fc.array(fc.oneof(part, placeholder), { maxLength: 6 }).map((parts) => parts.join('')),
      fc.dictionary(name, fc.string({ maxLength: 5 })),
      (template, given) => {
        // A tag that does nothing forces the same template through Liquid.
        const short = render(template, given);
        const long = render(`{% comment %}{% endcomment %}${template}`, given);
        if (short.kind === 'broken') expect(long.kind).toBe('broken');
        else expect(long).toEqual(short);
      },
    );
    for (const seed of sample.partSeeds('templates', 20_261_200)) fc.assert(property, { seed, numRuns: 200 });
  });

  it('is rendered once: a value that looks like a template stays as it is', () => {
    const given = { a: '{{b}} {% if b %}{% endif %}', b: 'secret' };
    expect(text('{{a}}', given)).toBe(given.a);
    expect(text('{{ a | append: "!" }}', given)).toBe(`${given.a}!`);
  });

  it('keeps dollar signs of a value', () => {
    expect(text('{{amount}}', { amount: "$& $1 $'" })).toBe("$& $1 $'");
  });

  it('finds dotted names, alone and with filters', () => {
    const given = { 'customer.name': 'Dana', 'customer.home.city': 'Kiel', order: 'A1', 'order.id': '7' };
    expect(text('{{customer.name}} of {{ customer.home.city | upcase }}', given)).toBe('Dana of KIEL');
    expect(text('{{ order }} {{ order | downcase }}', given)).toBe('A1 a1');
    expect(render('{{ customer.phone }}', given)).toEqual(missing('customer.phone'));
  });

  it('can be trimmed, compared and given defaults', () => {
    expect(text('a {{- amount -}} b')).toBe('a950b');
    expect(text('a {{amount-}} b')).toBe('a 950b');
    expect(text('{% if amount == "950" %}full{% else %}part{% endif %}')).toBe('full');
    expect(text('{{ discount | default: "0" }} {{ amount | default: "0" }}')).toBe('0 950');
    expect(text('{% for day in days %}{{ day }};{% endfor %}', { days: 'Mo,Tu' })).toBe('Mo,Tu;');
    expect(
      text('{% assign list = days | split: "," %}{% for day in list %}{{ day }};{% endfor %}', { days: 'Mo,Tu' }),
    ).toBe('Mo;Tu;');
  });
});

describe('a variable without a value', () => {
  it('is named, the first one if there are several', () => {
    expect(render('{{rent}} {{deposit}}', values)).toEqual(missing('rent'));
    expect(render('{{rent | upcase}}', values)).toEqual(missing('rent'));
    expect(render('{{ Straße | upcase }}', values)).toEqual(missing('Straße'));
    expect(render('{{ a | default: rent }}', values)).toEqual(missing('rent'));
    expect(render('{{ customer.name }}', values)).toEqual(missing('customer'));
  });

  it('may be tested in a condition', () => {
    expect(text('{% if rent %}a{% else %}b{% endif %}{% unless rent.due %}c{% endunless %}')).toBe('bc');
  });

  it('is not filled from properties that every JavaScript object has', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      for (const template of [`{{${name}}}`, `{{ ${name} | upcase }}`])
        expect(render(template, values)).toEqual(missing(name));
    for (const path of ['amount.constructor', 'amount.__proto__'])
      expect(render(`{{ ${path} }}`, values)).toEqual(missing(path));
    const polluting = { '__proto__.polluted': 'x' };
    expect(render('{{ __proto__.polluted | upcase }}', polluting)).toEqual(missing('__proto__'));
    expect(render('{{ polluted | upcase }}', polluting)).toEqual(missing('polluted'));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a template that cannot be rendered', () => {
  it.each([
    ['{{ amount | shout }}', /undefined filter: shout/],
    ['{% shout %}', /tag "shout" not found/],
    ['{{ amount', /not closed/],
    ['{{}}', /invalid value expression/],
    ['{{{amount}}}', /invalid value expression/],
    ['{% if amount %}', /not closed/],
    ['{% endif %}', /endif/],
  ])('%s is an outcome with its reason, never an error', (template, reason) => {
    expect(render(template, values)).toEqual(broken(reason));
  });

  it.each(['include "a"', 'render "/etc/passwd"', 'layout "a"', 'block a', 'raw'])(
    'the tag {%% %s %%} does not exist: nothing is read but values',
    (tag) => {
      expect(render(`{% ${tag} %}{{amount}}{% end${tag.split(' ')[0]} %}`, values)).toEqual(broken(/not found/));
    },
  );

  it('nests too deeply', () => {
    const deep = `${'{% if amount %}'.repeat(20_000 / 4)}${'{% endif %}'.repeat(20_000 / 4)}`;
    expect(render(deep, values)).toEqual(broken(/stack size/));
  });

  it('becomes too long, with and without Liquid', () => {
    expect(render('{{a}}'.repeat(1_000), { a: 'x'.repeat(501) })).toEqual(broken(/longer than 500000 characters/));
    expect(render(`{% for i in (1..9000) %}${'y'.repeat(90_000)}{% endfor %}`, {})).toEqual(
      broken(/longer than 500000 characters|string length/),
    );
    expect(text('{{a}}'.repeat(1_000), { a: 'x'.repeat(500) })).toHaveLength(500_000);
  });

  it.each([
    ['{% for i in (1..1000000000) %}x{% endfor %}', /memory/],
    [`{% assign a = "aaaaaaaaaa" %}${'{% assign a = a | append: a %}'.repeat(60)}{{a}}`, /memory/],
    [
      `{% capture x %}aa{% endcapture %}${'{% capture x %}{{x}}{{x}}{% endcapture %}'.repeat(60)}{{x}}`,
      /longer|length|memory/,
    ],
  ])('is stopped by its memory: %.40s', (template, reason) => {
    expect(render(template, values)).toEqual(broken(reason));
  });

  it('is stopped by its time', () => {
    expect(renderWithin(endless, values)).toEqual(broken(/takes longer than 100 ms/));
  });

  it.each(['sort', 'uniq', 'where_exp: "x", "x == 1" | size'])(
    'is stopped when it works on more than 100,000 items at once: %s',
    (filter) => {
      expect(render(`{% assign all = (1..500000) | ${filter} %}`, values)).toEqual(broken(/needs too much memory/));
      const often = `{% assign all = (1..90000) %}${`{% assign all = all | ${filter.split(' |')[0]} %}`.repeat(60)}`;
      expect(renderWithin(often, values)).toEqual(broken(/takes longer than 100 ms|memory/));
    },
  );

  it.each(['json: 10', 'jsonify: 10', 'inspect: 10', 'json: "xxxxxxxxxx"'])(
    'is stopped before indented JSON exceeds the limit: %s',
    (filter) => {
      const nest = '{% for i in (1..300) %}{% assign b = "" | split: "," | push: b %}{% endfor %}';
      const template = `{% assign b = (1..9000) %}${nest}{{ b | ${filter} | size }}`;
      expect(render(template, {})).toEqual(broken(/needs too much memory/));
    },
  );

  it.each(['{{ b }}', '{{ b | json }}', '{{ b | join }}', '{{ b | upcase }}'])(
    'is stopped when a list contains itself many times over: %s',
    (end) => {
      const doubled = '{% assign b = "" | split: "," | push: b | push: b %}'.repeat(60);
      expect(render(`{% assign b = "a,b" | split: "," %}${doubled}${end}`, {})).toEqual(
        broken(/needs too much memory/),
      );
    },
  );

  it('is stopped when a filter returns too long a text', () => {
    expect(render('{{ a | url_encode | size }}', { a: '€'.repeat(60_000) })).toEqual(broken(/longer than 500000/));
    expect(render('{{ "2026-03-02" | date: "%400000000Y" | size }}', {})).toEqual(broken(/memory|longer/));
  });

  it('writes JSON as JSON.stringify does', () => {
    const list = ['a"b', ''];
    const given = '{% assign list = a | split: "," | push: b %}';
    for (const filter of ['json', 'jsonify', 'inspect'])
      for (const space of [0, 2, 12, '--'])
        expect(text(`${given}{{ list | ${filter}: ${JSON.stringify(space)} }}`, { a: 'a"b', b: '' })).toBe(
          JSON.stringify(list, null, space),
        );
    expect(text('{{ a | json }}', { a: 'x' })).toBe('"x"');
    expect(text('{{ customer | json }}', { 'customer.name': 'Ada' })).toBe('{"name":"Ada"}');
  });

  it('is slow when its time is over after the last step', () => {
    let asked = 0;
    // Over at the last check only.
    const count = { isOver: () => ((asked += 1), false) };
    render('{{ a | upcase }}', { a: 'x' }, count);
    const last = asked;
    asked = 0;
    expect(render('{{ a | upcase }}', { a: 'x' }, { isOver: () => (asked += 1) >= last })).toEqual(
      broken(/takes longer/),
    );
  });

  it('is stopped while it writes more than a message may hold, also inside a capture', () => {
    const filled = render(`{% for i in (1..90000) %}{{ a }}{% endfor %}`, { a: 'x'.repeat(2_000) });
    expect(filled).toEqual(broken(/longer than 500000 characters/));
    const captured = `{% capture x %}{% for i in (1..90000) %}{{ a }}{% endfor %}{% endcapture %}`;
    expect(render(captured, { a: 'x'.repeat(2_000) })).toEqual(broken(/longer than 500000 characters/));
  });
});

const loop = (name: string, body: string) => `{% for ${name} in (1..1000) %}${body}{% endfor %}`;
const endless = loop('a', loop('b', loop('c', '')));
