import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf } from '#domain/liquid.ts';
import { render } from '#domain/template.ts';
import { hostileMessages } from '#testing/hostile-messages.ts';
import { processorMs } from '#testing/processor-time.ts';
import { compile, format, formatHere, longestFormatted, type MessageForm, messageForms } from './message-format.ts';
import { sample } from '#testing/sample.ts';

/** A template with its values, as text with marks. */
function marked(template: string, values: Record<string, string> = {}): string {
  const rendered = render(template, values, { marksValues: true, budget: budgetOf(60_000) });
  if (rendered.kind !== 'rendered') throw new Error(`It is ${rendered.kind}`);
  return rendered.text;
}

const formatted = (template: string, form: MessageForm, values?: Record<string, string>) =>
  formatHere(marked(template, values), form);

const textOf = (template: string, form: MessageForm, values?: Record<string, string>) =>
  formatted(template, form, values).text;
const htmlOf = (template: string, values?: Record<string, string>) => formatted(template, 'mail', values).html ?? '';

/** The words of a page, as a reader sees them. */
const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .split(/\s+/)
    .filter((word) => word !== '');

const letter = `# Rent for {{month}}

Hello **{{name}}**, your rent of *{{amount}}* is ~~late~~ due.
Please [pay here]({{link}}) or at https://pay.example/{{id}}.

- heating
- water
  1. cold
  2. warm

> Thank you

\`IBAN {{iban}}\``;

const values = {
  month: 'May',
  name: 'Ann_Lee_',
  amount: '**950** €',
  link: 'https://pay.example/?a=1&b=2',
  id: '7 8',
  iban: 'DE00 *1*',
};

describe('a message in Markdown', () => {
  it('is plain words in an SMS', () => {
    expect(textOf(letter, 'words', values)).toBe(
      'Rent for May\n\nHello Ann_Lee_, your rent of **950** € is late due.\n' +
        'Please pay here (https://pay.example/?a=1&b=2) or at https://pay.example/7 8.\n\n' +
        '- heating\n- water\n  1. cold\n  2. warm\n\n> Thank you\n\nIBAN DE00 *1*',
    );
  });

  it('has the marks of WhatsApp', () => {
    expect(textOf(letter, 'whatsapp', values)).toBe(
      '*Rent for May*\n\nHello *Ann_Lee_*, your rent of _**950** €_ is ~late~ due.\n' +
        'Please pay here (https://pay.example/?a=1&b=2) or at https://pay.example/7 8.\n\n' +
        '- heating\n- water\n  1. cold\n  2. warm\n\n> Thank you\n\n`IBAN DE00 *1*`',
    );
  });

  it('is mrkdwn in Slack, in which a value cannot call a channel', () => {
    expect(textOf('Hi **{{name}}**: [pay]({{link}}) & ask', 'slack', { name: '<!channel>', link: values.link })).toBe(
      'Hi *&lt;!channel&gt;*: <https://pay.example/?a=1&amp;b=2|pay> &amp; ask',
    );
  });

  it('calls no channel in Slack either where it is too long, or took too long, to be formatted', () => {
    const long = textOf(`${'a'.repeat(longestFormatted)} **{{name}}**`, 'slack', { name: '<!channel>' });
    expect(long.replace(/^a+/, '')).toBe(' **&lt;!channel&gt;**');
    const tooSlow = format(marked('**{{name}}** & no end', { name: '<!channel>' }), { form: 'slack', ask: () => null });
    expect(tooSlow).toEqual({ text: '**&lt;!channel&gt;** &amp; no end', html: null });
  });

  it('is HTML in a mail, and no value is markup', () => {
    const html = htmlOf(letter, values);
    expect(html).toContain('>Rent for May</h1>');
    expect(html).toContain('<strong>Ann_Lee_</strong>');
    expect(html).toContain('<em>**950** €</em>');
    expect(html).toContain('<a href="https://pay.example/?a=1&#38;b=2">pay here</a>');
    expect(html).toContain('<a href="https://pay.example/7%208">https://pay.example/7 8</a>');
    expect(html).toContain('DE00 *1*</code>');
    expect(html.match(/<li /g)).toHaveLength(4);
  });

  it('links the address that a value brings, and no other scheme', () => {
    expect(htmlOf('Choose: {{link}}', values)).toContain('<a href="https://pay.example/?a=1&#38;b=2">');
    expect(htmlOf('[a]({{x}}) [b](javascript:alert(1)) ftp://a.example', { x: 'javascript:alert(1)' })).not.toContain(
      '<a',
    );
    expect(textOf('[a]({{x}})', 'words', { x: 'javascript:alert(1)' })).toBe('a (javascript:alert(1))');
  });

  it('keeps its lines, and what only looks like Markdown', () => {
    expect(textOf('Dear Ann\n2 * 3 * 4\nsnake_case_name\nRent\n----\n    four spaces', 'words')).toBe(
      'Dear Ann\n2 * 3 * 4\nsnake_case_name\nRent\n\n---\n\nfour spaces',
    );
  });

  it('shows a picture as a link to it, and HTML as it is written', () => {
    expect(htmlOf('![plan](https://a.example/p.png) <b>x</b>')).toBe(
      '<p style="margin:0 0 16px"><a href="https://a.example/p.png">plan</a> &#60;b&#62;x&#60;/b&#62;</p>',
    );
  });

  it('compares and cuts what is captured as it is, without formatting in it', () => {
    const captured = '{% capture who %}**{{ name }}**{% endcapture %}';
    expect(
      textOf(`${captured}{% if who == "**Ann**" %}yes {% endif %}{{ who | slice: 2, 3 }} {{ who }}`, 'words', {
        name: 'Ann',
      }),
    ).toBe('yes Ann **Ann**');
  });

  it('is the same through Liquid', () => {
    const twice = { template: '{% if name %}Hello **{{ name | append: "!" }}**{% endif %}', values };
    expect(htmlOf(twice.template, twice.values)).toContain('<strong>Ann_Lee_!</strong>');
    expect(htmlOf('{% if name %}{% cycle name, "x" %}{% echo amount | raw %}{% endif %}', values)).toContain(
      'Ann_Lee_**950** €',
    );
  });

  it('is sent as it is written where it is nested deeper than is read', () => {
    const deep = `${'> '.repeat(60)}deep`;
    expect(textOf(deep, 'words')).toBe(deep);
  });

  it('is text alone where its HTML would make a mail larger than 100 kB', () => {
    const long = '- a\n'.repeat(20_000);
    expect(formatted(long, 'mail')).toMatchObject({ html: null, text: expect.stringContaining('- a\n- a') });
    expect(formatted('ä'.repeat(60_000), 'mail').html).toBeNull();
    expect(formatted('x'.repeat(100_001), 'mail').html).toBeNull();
  });

  it('has the same words in HTML and in text', () => {
    const messages = sample.partSeeds('hostile messages', 61).flatMap((seed) => hostileMessages({ count: 100, seed }));
    for (const { message, values: given } of messages) {
      const rendered = render(message, given, { marksValues: true });
      if (rendered.kind !== 'rendered') continue;
      const { html, text } = formatHere(rendered.text, 'mail');
      // The text has the marks of lists and the addresses of links as well.
      const left = Array.from(wordsOf(html ?? '').join('')).reverse();
      for (const character of text) if (character === left.at(-1)) left.pop();
      expect(left.reverse().join('')).toBe('');
    }
  });

  it('never shows a value otherwise than as it is', () => {
    const word = fc.string({
      unit: fc.constantFrom(...Array.from('ab*_~`[](){}#>-+!\\<&"')),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(word, (name) => {
        expect(textOf('Dear {{name}}, hello', 'words', { name })).toBe(`Dear ${name}, hello`);
        expect(wordsOf(htmlOf('**{{name}}**', { name })).join('')).toBe(name);
      }),
    );
  });
});

describe('formatting', () => {
  it.each([
    ['brackets', '['],
    ['links', '[a]('],
    ['pictures', '!['],
    ['stars', '*a '],
    ['mixed stars', '*_'],
    ['bold', 'a**b'],
    ['quotes', '> '],
    ['lists', '- '],
    ['backticks', '`a``'],
    ['angles', '<https://'],
    ['addresses', 'https://a.'],
    ['entities', '&#'],
    ['escapes', '\\['],
    ['strikes', '~~a '],
    ['lines', '1. a\n'],
  ])('a text of 2,000 characters of %s takes a few milliseconds', (_, unit) => {
    const source = unit.repeat(Math.ceil(2_000 / unit.length)).slice(0, 2_000);
    const compileAll = () => {
      for (const form of messageForms) compile(source, form);
    };
    expect(processorMs(compileAll)).toBeLessThan(4 * 25);
  });
});
