import { describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/reminders.ts';
import { chainsOf } from '#domain/chains.ts';
import { targetsOf } from '#domain/recipients.ts';

const anna = { email: 'anna@example.com', phone: '+4915112345678' };
const contacts = new Map([
  [anna.email, anna],
  [anna.phone, anna],
]);

const chains = (recipients: string[], channels: ChannelType[], known: typeof contacts = new Map()) =>
  chainsOf(targetsOf(recipients, channels), { channels, contactOf: (recipient) => known.get(recipient) ?? null }).map(
    (chain) => chain.map(({ channel, recipient, problem }) => `${channel} ${recipient}${problem === null ? '' : ' !'}`),
  );

describe('the channels of a recipient', () => {
  it('follow each other in the order of the reminder', () => {
    expect(chains(['+49301', 'dana@example.com'], ['whatsapp', 'email', 'sms'])).toEqual([
      ['whatsapp +49301', 'sms +49301'],
      ['email dana@example.com'],
    ]);
    expect(chains(['+49301'], ['sms', 'whatsapp'])).toEqual([['sms +49301', 'whatsapp +49301']]);
  });

  it('are one where a recipient fits none, which is recorded', () => {
    expect(chains(['dana@example.com'], ['sms', 'whatsapp'])).toEqual([['sms dana@example.com !']]);
  });

  it('go on over the number of a contact, or its address, which is not written to twice', () => {
    expect(chains(['anna@example.com'], ['email', 'sms'], contacts)).toEqual([
      ['email anna@example.com', 'sms +4915112345678'],
    ]);
    expect(chains(['+4915112345678', 'anna@example.com'], ['sms', 'email'], contacts)).toEqual([
      ['sms +4915112345678', 'email anna@example.com'],
    ]);
    expect(chains(['anna@example.com'], ['sms'], contacts)).toEqual([['sms +4915112345678']]);
  });

  it('leave Slack and web push alone, who have recipients of their own', () => {
    expect(chains(['dana@example.com', '+49301'], ['slack', 'email', 'sms', 'push'])).toEqual([
      ['email dana@example.com'],
      ['sms +49301'],
      ['slack slack'],
      ['push push'],
    ]);
  });
});
