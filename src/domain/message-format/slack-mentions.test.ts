import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '#domain/template.ts';
import { formatHere } from './message-format.ts';
import { mentionsIn, plainForSlack, settleMentions, silentMentions } from './slack-mentions.ts';

type Values = Record<string, string>;

function written(template: string, { values = {}, isMarkdown = true }: { values?: Values; isMarkdown?: boolean }) {
  const rendered = render(template, values, { marksValues: true });
  if (rendered.kind !== 'rendered') throw new Error(`It is ${rendered.kind}`);
  return isMarkdown ? formatHere(rendered.text, 'slack').text : plainForSlack(rendered.text);
}

describe.each([true, false])('a mention in Slack (Markdown: %s)', (isMarkdown) => {
  const sent = (template: string, values: Values = {}) =>
    settleMentions(written(template, { values, isMarkdown }), { ping: true });

  it.each([
    ['Hi @here, all', 'Hi <!here>, all'],
    ['@channel', '<!channel>'],
    ['(@everyone).', '(<!everyone>).'],
    ['<!here> <@U012AB> <@W012AB> <!subteam^S012>', '<!here> <@U012AB> <@W012AB> <!subteam^S012>'],
    ['R&D, @here: 1 < 2', 'R&amp;D, <!here>: 1 &lt; 2'],
  ])('%s pings as %s, where the channel allows it', (template, expected) => {
    expect(sent(template)).toBe(expected);
  });

  it.each([
    ['Hi @here, all', 'Hi @here, all'],
    ['<!here> <@U012AB>', '&lt;!here&gt; &lt;@U012AB&gt;'],
  ])('%s stays as it was written where the channel does not', (template, expected) => {
    expect(settleMentions(written(template, { isMarkdown }), { ping: false })).toBe(expected);
  });

  it.each([
    'me@here.com',
    '@hereby',
    '@here.example',
    'a@here',
    '@@here',
    '@he\u200bre',
    '@Here',
    '<!he\u200bre>',
    '<!here|all>',
    '<@u012>',
    '<@U012|ann>',
    '<!subteam^X1>',
    '<!date^1^{date}|x>',
    '<#C012AB>',
  ])('%s is none', (template) => {
    expect(mentionsIn(written(template, { isMarkdown }))).toEqual([]);
    expect(sent(template)).not.toMatch(/<[!@#]/);
  });

  it.each([
    '<!here>',
    '@here',
    '&lt;!here&gt;',
    '&amp;lt;!here>',
    '\ufdd6<!here>\ufdd7',
    '\ufdd1<!here>',
    '\ufdd0\ufde0\ufdd1 <!channel>',
    '> <!channel>\n<@U012AB>',
    '](https://x.example) <!here>',
    '`<!here>`',
  ])('is never made by a value such as %j', (value) => {
    for (const template of ['Hi {{x}}', 'Hi {{ x | upcase }}', '<{{x}}>', '@here {{x}}', '*{{x}}*', '[{{x}}]({{x}})']) {
      const text = sent(template, { x: value });
      expect(text.replace('<!here>', template.startsWith('@here') ? '' : '<!here>')).not.toMatch(/<[!@]/);
    }
  });

  it.each([
    ['@{{x}}', 'here'],
    ['<!{{x}}>', 'here'],
    ['<@{{x}}>', 'U012AB'],
    ['<@U{{x}}>', '012AB'],
    ['{{x}}here', '@'],
    ['@h{{x}}', 'ere'],
    ['<!subteam^{{x}}>', 'S012'],
  ])('is never completed by a value: %s with %s', (template, x) => {
    const text = written(template, { values: { x }, isMarkdown });
    expect([mentionsIn(text), /<[!@]/.test(settleMentions(text, { ping: true }))]).toEqual([[], false]);
  });

  it('is never made by any value', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '!',
      '@',
      'here',
      'U012AB',
      '&lt;',
      '\ufdd0',
      '\ufdd1',
      '\ufdd6',
      '\ufdd7',
      '\u200b',
      '`',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = written('Hi {{x}}, {{x}}!', { values: { x: `a${pieces.join('')}` }, isMarkdown });
        expect([mentionsIn(text), settleMentions(text, { ping: true }).match(/<[!@#]/)]).toEqual([[], null]);
      }),
    );
  });

  it('is listed once, however it is written, and takes linear time', () => {
    expect(mentionsIn(written('@here <!here> @channel', { isMarkdown }))).toEqual(['<!here>', '<!channel>']);
    expect(mentionsIn(written('<@U'.repeat(20_000) + '@here '.repeat(5_000), { isMarkdown }))).toEqual(['<!here>']);
  });
});

it('in code or in the text of a link is none', () => {
  for (const template of ['`@here`', '```\n<!here>\n```', '[@here](https://x.example)'])
    expect(mentionsIn(written(template, {}))).toEqual([]);
});

it('what looks like a mention in a title, and a name without an id, ping nobody', () => {
  expect(silentMentions({ title: '@channel <!here> @petra', text: 'No @here, ann@example.com or @@x' })).toEqual({
    inTitle: ['@channel', '<!here>', '@petra'],
    names: [],
  });
  expect(
    silentMentions({ title: 'Rent', text: 'Ask @petra, (@Jürgen) or @petra, &lt;@U012AB&gt; https://a.example/@x' }),
  ).toEqual({
    inTitle: [],
    names: ['@petra', '@Jürgen'],
  });
});
