import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';
import { sample } from '#testing/sample.ts';

const at = { now: Temporal.Instant.from('2026-11-20T12:05:14Z'), timezone: 'Europe/London' };
const read = (line: string) => understand(line, at);
const remarks = (line: string) => read(line).problems.map(({ text }) => text);

const names = { email: ['by email', 'email'], sms: ['by SMS', 'text message'], whatsapp: ['via WhatsApp', 'whatsapp'] };
const joints = [
  ', then',
  ' then',
  ', and then',
  ', otherwise',
  ', or else',
  ' and otherwise',
  ', if that fails',
  ', if it fails, then',
  ', if not,',
  ', failing that',
  ', if nobody is reached',
  ', if nobody is reached try',
  ', if no one can be reached, use',
  ', only if that fails',
  ', if it does not arrive',
  ', if the first one bounces',
  ', fall back to',
  ' and fall back to',
  ', falling back to',
  ', as a fallback',
  ', with fallback to',
  ', if they cannot be reached, switch to',
  ' and if undelivered',
];

describe('channels that a line puts in an order', () => {
  it.each(joints)('are tried one after the other: “by email%s by SMS”', (joint) => {
    for (const next of ['SMS', 'by SMS', 'a text message'].filter(
      (one) => !joint.endsWith(' to') || one !== 'by SMS',
    )) {
      const line = `remind Ann every Monday at 9am by email${joint} ${next} that rent is due`;
      const { isWhole, isInOrder, channels, message, problems, leftOver } = read(line);
      expect({ line, problems, leftOver, isWhole, isInOrder, channels, message: message?.message }).toEqual({
        line,
        problems: [],
        leftOver: [],
        isWhole: true,
        isInOrder: true,
        channels: ['email', 'sms'],
        message: 'Rent is due.',
      });
    }
  });

  it.each([
    ['by SMS with email as a fallback', 'sms > email'],
    ['by SMS and email as backup', 'sms > email'],
    ['first by email, then by SMS, finally via WhatsApp', 'email > sms > whatsapp'],
    ['by email, else by SMS, else by WhatsApp', 'email > sms > whatsapp'],
    ['by email and SMS, if nobody is reached try the next', 'email > sms'],
    ['by email, SMS and WhatsApp in this order', 'email > sms > whatsapp'],
    ['by webhook, then SMS', 'webhook > sms'],
    ['by email and SMS', 'email + sms'],
  ])('%s: %s', (words, order) => {
    const { isWhole, isInOrder, channels } = read(`remind Ann every Monday at 9am ${words} that rent is due`);
    expect([isWhole, channels.join(isInOrder ? ' > ' : ' + ')]).toEqual([true, order]);
  });

  it('say how “then” is read', () => {
    const { notes } = read('remind Ann every Monday at 9am by email, then by SMS that rent is due');
    expect(notes.map(({ text }) => text)).toEqual(['“then by SMS” is read as: only if the channel before fails']);
  });

  it.each([
    [
      'by webhook, if nobody is reached try the next',
      '“if nobody is reached try the next” needs two channels: write “by email, then by SMS”',
    ],
    [
      'by slack, then sms',
      '“then sms” is not possible: Slack goes to a destination of its own, and no other channel takes over from it',
    ],
    [
      'by email, then push',
      '“then push” is not possible: Web push goes to a destination of its own, and no other channel takes over from it',
    ],
    [
      'by email, if nobody answers by SMS',
      '“if nobody answers by SMS” is not possible: the next channel is tried when one fails, whatever people do',
    ],
    ['by email, if she was reached by SMS', '“if she was reached by SMS” is not understood: write “if that fails”'],
    [
      'by email and SMS, then WhatsApp',
      '“then WhatsApp” does not say which of the channels joined by “and” comes first',
    ],
    ['by email, and then text Ben', '“and then text” may begin a second message: write a reminder for each'],
  ])('are asked back: %s', (words, remark) => {
    const line = `remind Ann every Monday at 9am ${words} that rent is due`;
    expect(read(line).isWhole).toBe(false);
    expect(remarks(line)).toEqual([remark]);
  });

  it('are asked back where a webhook calls the URLs of the line', () => {
    expect(
      remarks('send https://example.com/x and +4915112345678 every Monday at 9am by webhook, then sms: it is down'),
    ).toEqual([
      '“then sms” is not possible: Webhook calls the URLs of the line, and no other channel takes over from it',
    ]);
  });
});

describe('an instruction behind a message', () => {
  it.each(joints)('is how it is sent, or is asked about: “…%s by SMS”', (joint) => {
    const whole = read(`remind Ann every Monday at 9am that rent is due by email${joint} SMS`);
    expect([whole.isWhole, whole.isInOrder, whole.message?.message]).toEqual([true, true, 'Rent is due.']);
    // The channel is named before already, so the end may be message.
    for (const message of ['that rent is due', ': rent is due', 'to pay the rent'])
      expect(
        read(`email Ann every Monday at 9am ${message}${joint} ${joint.endsWith(' to') ? 'SMS' : 'by SMS'}`).isWhole,
      ).toBe(false);
    const quoted = read(`email Ann every Monday at 9am “Rent is due${joint} by SMS”`);
    expect([quoted.isWhole, quoted.isInOrder, quoted.channels]).toEqual([true, false, ['email']]);
  });

  it('is asked about with its words', () => {
    expect(remarks('email Ann every Monday at 9am that rent is due, if nobody is reached try the next')).toEqual([
      '“if nobody is reached try the next” may be how to send it, or part of the message: write it first, or put the message in quotes',
    ]);
  });

  it.each([
    ['to export the report, then email it to Ben', 'Remember to export the report, then email it to Ben.'],
    ['to take one pill, then another', 'Remember to take one pill, then another.'],
    ['that her papers are in order', 'Her papers are in order.'],
    ['to wash, and then dry', 'Remember to wash, and then dry.'],
    ['to call, and if nobody answers leave a note', 'Remember to call, and if nobody answers leave a note.'],
    ['that the plan is a good fallback', 'The plan is a good fallback.'],
  ])('is none of what somebody is to do: %s', (words, message) => {
    const { isWhole, isInOrder, message: said } = read(`remind Ann every Monday at 9am ${words}`);
    expect([isWhole, isInOrder, said?.message]).toEqual([true, false, message]);
  });

  it('never ends in the message, wherever it is written', () => {
    const channels = fc.constantFrom('email' as const, 'sms' as const, 'whatsapp' as const);
    const lines = fc
      .record({
        first: channels,
        second: channels,
        firstName: fc.nat(1),
        secondName: fc.nat(1),
        joint: fc.constantFrom(...joints),
        isBehind: fc.boolean(),
        isTimeLast: fc.boolean(),
        intro: fc.constantFrom('that', 'saying', 'to say that'),
      })
      .filter(({ first, second }) => first !== second);
    let understood = 0;
    let asked = 0;
    const property = fc.property(lines, ({ first, second, joint, isBehind, isTimeLast, intro, ...named }) => {
      const to = names[second][joint.endsWith(' to') ? 1 : named.secondName] ?? '';
      const order = `${names[first][0]}${joint} ${to}`;
      const message = `${intro} rent is due`;
      const time = 'every Monday at 9am';
      const parts = isBehind ? [message, order] : [order, message];
      const line = `remind Ann ${(isTimeLast ? [...parts, time] : [time, ...parts]).join(' ')}`;
      const reading = read(line);
      if (!reading.isWhole) return void (asked += 1);
      understood += 1;
      expect({
        line,
        message: reading.message?.message,
        isInOrder: reading.isInOrder,
        channels: reading.channels,
      }).toEqual({
        line,
        message: 'Rent is due.',
        isInOrder: true,
        channels: [first, second],
      });
    });
    const seeds = sample.partSeeds('order of channels', 20_261_129);
    for (const seed of seeds) fc.assert(property, { seed, numRuns: 200 });
    expect(understood).toBeGreaterThan(asked * 3);
  });
});
