import { expect, it } from 'vitest';
import { previewTemplate } from '#domain/template-preview.ts';
import { channelsFor, markedParts, problemInWords } from './channel-text.ts';

it('the message is shown for the channels that reach this recipient', () => {
  const channels = ['slack', 'email', 'sms', 'webhook'] as const;
  expect(channelsFor('Ann <ann@example.com>', channels)).toEqual(['slack', 'email', 'webhook']);
  expect(channelsFor('+49 30 1234567', ['sms', 'email'])).toEqual(['sms']);
  expect(channelsFor('board room', ['sms', 'email'])).toEqual([]);
});

it('variables without a value are marked in the text, also inside filters', () => {
  const { body, missing } = previewTemplate({ subject: '', body: 'Dear {{name}}, {{ unit | upcase }}!' }, {});
  expect(markedParts(body, missing)).toEqual([
    { text: 'Dear ', isMissing: false },
    { text: '{{name}}', isMissing: true },
    { text: ', ', isMissing: false },
    { text: '{{UNIT}}', isMissing: true },
    { text: '!', isMissing: false },
  ]);
});

it('an error in Liquid is shown with its line', () => {
  const [problem] = previewTemplate({ subject: '', body: 'Hello\n{% if amount %}' }, {}).problems;
  expect(problemInWords(problem?.message ?? '')).toBe('tag {% if amount %} not closed (line 2)');
  expect(problemInWords('it would be longer than 500000 characters')).toBe('it would be longer than 500000 characters');
});
