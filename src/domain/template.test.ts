import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '#domain/template.ts';

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

  it('may hold braces that are no placeholder', () => {
    for (const template of ['', 'no braces', '{"json": {"a": 1}}', '{ {amount}}', 'a } b', 'set {x}'])
      expect(text(template)).toBe(template);
  });

  it('is the same by the short way and by Liquid', () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w-]{0,6}$/);
    const part = fc.oneof(fc.constantFrom(' ', '{', '}', 'a', '\n', '-', '%'), fc.string({ maxLength: 3 }));
    const placeholder = fc
      .tuple(fc.oneof(name, fc.constantFrom('true', 'empty', 'nil')), fc.constantFrom('', ' ', '\n'))
      .map(([word, blank]) => `{{${blank}${word}${blank}}}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(part, placeholder), { maxLength: 6 }).map((parts) => parts.join('')),
        fc.dictionary(name, fc.string({ maxLength: 5 })),
        (template, given) => {
          // A tag that does nothing sends the same template the long way.
          const short = render(template, given);
          const long = render(`{% comment %}{% endcomment %}${template}`, given);
          if (short.kind === 'broken') expect(long.kind).toBe('broken');
          else expect(long).toEqual(short);
        },
      ),
      { seed: 20_261_120, numRuns: 2_000 },
    );
  });

  it('is filled once: a value that looks like a template stays as it is', () => {
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

  it('may be asked about in a condition', () => {
    expect(text('{% if rent %}a{% else %}b{% endif %}{% unless rent.due %}c{% endunless %}')).toBe('bc');
  });

  it('is not made up by what every object of the language has', () => {
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

describe('a template that cannot be filled', () => {
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

  it('would become too long, with and without Liquid', () => {
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
      /length|memory/,
    ],
  ])('is stopped by its memory: %.40s', (template, reason) => {
    expect(render(template, values)).toEqual(broken(reason));
  });

  it('is stopped by its time, and after three times is not tried again', () => {
    const loop = (name: string, body: string) => `{% for ${name} in (1..1000) %}${body}{% endfor %}`;
    const endless = loop('a', loop('b', loop('c', '')));
    const slow = broken(/takes longer than 100 ms/);
    for (let time = 1; time <= 3; time += 1) expect(render(endless, values)).toEqual(slow);
    const before = performance.now();
    for (let recipient = 0; recipient < 1_000; recipient += 1) expect(render(endless, values)).toEqual(slow);
    // A thousand more would have taken a hundred seconds.
    expect(performance.now() - before).toBeLessThan(20_000);
  });
});
