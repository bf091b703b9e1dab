import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelTypes } from '#contract/channel-types.ts';
import { parseRecipient, targetsOf } from '#domain/recipients.ts';

describe('a recipient', () => {
  it.each([
    ['dana@example.com', 'dana@example.com', null],
    ['  dana@example.com ', 'dana@example.com', null],
    ['Dana <dana@example.com>', 'dana@example.com', 'Dana'],
    ['Dana Smith<dana@example.com>', 'dana@example.com', 'Dana Smith'],
    ['"Smith, Dana" <dana@example.com>', 'dana@example.com', 'Smith, Dana'],
    ['"Dana \\"D\\" Smith" <dana@example.com>', 'dana@example.com', 'Dana "D" Smith'],
    ['Dana "D" Smith <dana@example.com>', 'dana@example.com', 'Dana "D" Smith'],
    ['Dana\r\n  Smith <dana@example.com>', 'dana@example.com', 'Dana Smith'],
    ['<dana@example.com>', 'dana@example.com', null],
    ['"" <dana@example.com>', 'dana@example.com', null],
    ['Ünal < ünal@müller.example >', 'ünal@müller.example', 'Ünal'],
    ["o'brien+rent@localhost", "o'brien+rent@localhost", null],
  ])('written %s is an address with its name', (text, address, name) => {
    expect(parseRecipient(text)).toEqual({ kind: 'email', address, name });
  });

  it.each([
    ['+49 30 1234567', '+49301234567', null],
    ['+49 (0)30 1234-567', '+49301234567', null],
    ['(555) 123-4567', '5551234567', null],
    ['+1 (555) 123.4567', '+15551234567', null],
    ['+1\u00a0555\u2011123\u20114567', '+15551234567', null],
    ['030/1234567', '0301234567', null],
    ['0049 151 23456789', '+4915123456789', null],
    ['12345', '12345', null],
    ['Dana <+49 30 1234567>', '+49301234567', 'Dana'],
  ])('written %s is a phone number as it is dialled', (text, address, name) => {
    expect(parseRecipient(text)).toEqual({ kind: 'phone', address, name });
  });

  it.each([
    ['https://hooks.example.com/Rent?a=1', 'https://hooks.example.com/Rent?a=1', null],
    ['HTTP://hooks.example.com', 'HTTP://hooks.example.com', null],
    ['Ledger <https://hooks.example.com/a>', 'https://hooks.example.com/a', 'Ledger'],
    ['https://user@hooks.example.com/', 'https://user@hooks.example.com/', null],
  ])('written %s is a URL', (text, address, name) => {
    expect(parseRecipient(text)).toEqual({ kind: 'url', address, name });
  });

  it.each([
    '',
    'Dana',
    '#general',
    '1234',
    'a@b@c',
    'a@b.c, d@e.f',
    '@b',
    'ftp://x.example',
    'Dana <>',
    'a <b> c',
    '+',
    '<',
  ])('written "%s" is nothing that a channel understands', (text) => {
    expect(parseRecipient(text)).toEqual({ kind: 'other', address: text, name: null });
  });

  it('is parsed quickly, however it is written', () => {
    const blanks = ' '.repeat(2_000);
    const hostile = [
      `a${blanks}b`,
      `"${blanks}"<`,
      `${'<'.repeat(2_000)}>`,
      `1${blanks}x`,
      `a${blanks}<b@c>${blanks}d`,
    ];
    const before = process.cpuUsage();
    for (let line = 0; line < 10_000; line += 1) parseRecipient(hostile[line % hostile.length] ?? '');
    // When every blank was tried against every other, this took 15 seconds.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
  });
});

describe('the targets of an occurrence', () => {
  const mixed = ['Dana <dana@example.com>', '+49 30 1234567', 'https://hooks.example.com/a'];
  const pairs = (recipients: string[], channels: Parameters<typeof targetsOf>[1]) =>
    targetsOf(recipients, channels).map(({ channel, recipient, problem }) =>
      problem === null ? `${channel} ${recipient}` : `${channel} ${recipient}: skipped`,
    );

  it('are each recipient on each channel that its form fits', () => {
    expect(pairs(mixed, ['email', 'sms', 'whatsapp', 'webhook'])).toEqual([
      'email dana@example.com',
      'sms +49301234567',
      'whatsapp +49301234567',
      'webhook https://hooks.example.com/a',
    ]);
    expect(targetsOf(mixed, ['email'])[0]).toEqual({
      channel: 'email',
      recipient: 'dana@example.com',
      recipient_name: 'Dana',
      problem: null,
    });
  });

  it("are all recipients at the webhook channel's own URL when the list holds no URL", () => {
    expect(pairs(mixed.slice(0, 2), ['webhook'])).toEqual(['webhook dana@example.com', 'webhook +49301234567']);
    expect(pairs(['unit 7'], ['webhook'])).toEqual(['webhook unit 7']);
  });

  it('include recipients that fit no chosen channel, with the reason why they are skipped', () => {
    const problems = (recipients: string[], channels: Parameters<typeof targetsOf>[1]) =>
      targetsOf(recipients, channels).map(({ problem }) => problem?.reason);
    expect(problems(['+49301234567'], ['email'])).toEqual(['A phone number fits none of the chosen channels (email)']);
    expect(problems(['a@b.c'], ['sms', 'whatsapp'])).toEqual([
      'An email address fits none of the chosen channels (sms, whatsapp)',
    ]);
    expect(problems(['https://x.example'], ['email'])).toEqual(['A URL fits none of the chosen channels (email)']);
    expect(problems(['Dana'], ['email', 'sms'])).toEqual([
      '"Dana" is neither an email address, a phone number nor a URL',
    ]);
    expect(pairs(mixed, ['webhook'])).toEqual([
      'webhook dana@example.com: skipped',
      'webhook +49301234567: skipped',
      'webhook https://hooks.example.com/a',
    ]);
  });

  it('include Slack and web push once, whatever the list holds', () => {
    expect(pairs(mixed, ['slack'])).toEqual(['slack slack']);
    expect(pairs(mixed.slice(0, 2), ['push', 'slack'])).toEqual(['push push', 'slack slack']);
    expect(targetsOf([], ['push', 'slack']).map((target) => target.recipient_name)).toEqual([
      'Subscribed members',
      'Slack channel',
    ]);
  });

  it('include a recipient that fits no channel even if Slack was chosen as well', () => {
    expect(pairs(mixed.slice(0, 2), ['slack', 'email'])).toEqual([
      'email dana@example.com',
      'email +49301234567: skipped',
      'slack slack',
    ]);
  });

  it('hold nobody twice, however the address is spelled', () => {
    expect(pairs(['Dana <dana@example.com>', 'DANA@Example.com', 'dana@example.com'], ['email'])).toEqual([
      'email dana@example.com',
    ]);
    expect(pairs(['+49 30 123456', '+4930123456', '+49 (0)30-123456'], ['sms'])).toEqual(['sms +4930123456']);
    expect(pairs(['a@b.c'], ['email', 'email'])).toEqual(['email a@b.c']);
    expect(pairs(['Dana', 'DANA'], ['email'])).toEqual(['email Dana: skipped']);
  });

  it('distinguish URLs by their path, not by how the host is written', () => {
    expect(pairs(['https://X.example/a', 'https://x.example/A', 'HTTPS://x.EXAMPLE:443/a'], ['webhook'])).toEqual([
      'webhook https://X.example/a',
      'webhook https://x.example/A',
    ]);
  });

  it('account for everybody, and never name a target twice', () => {
    const line = fc.oneof(
      fc.constantFrom('a@b.c', 'A@B.C', 'Dana <d@e.f>', '+49301234567', '12345', 'https://x.example/a', 'junk', ''),
      fc.string({ maxLength: 12 }),
    );
    const channels = fc.uniqueArray(fc.constantFrom(...channelTypes), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), channels, (recipients, chosen) => {
        const targets = targetsOf(recipients, chosen);
        const keys = targets.map(({ channel, recipient }) => `${channel} ${recipient}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { channel } of targets) expect(chosen).toContain(channel);
        if (!chosen.some((channel) => channel !== 'slack' && channel !== 'push')) return;
        const reached = new Set(targets.map(({ recipient }) => recipient.toLowerCase()));
        for (const recipient of recipients) expect(reached).toContain(parseRecipient(recipient).address.toLowerCase());
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });
});
