import { describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/channel-types.ts';
import { fallbackChainsOf } from '#domain/fallback-chains.ts';
import { targetsOf } from '#domain/recipients.ts';

const anna = { email: 'anna@example.com', phone: '+4915112345678' };
const contacts = new Map([
  [anna.email, anna],
  [anna.phone, anna],
]);

const chains = (recipients: string[], channels: ChannelType[], known: typeof contacts = new Map()) =>
  fallbackChainsOf(targetsOf(recipients, channels), {
    channels,
    contactOf: (recipient) => known.get(recipient) ?? null,
  }).map((chain) =>
    chain.map(({ channel, recipient, problem }) => `${channel} ${recipient}${problem === null ? '' : ' !'}`),
  );

describe('the channels of a recipient', () => {
  it('follow each other in the order of the reminder', () => {
    expect(chains(['+49301', 'dana@example.com'], ['whatsapp', 'email', 'sms'])).toEqual([
      ['whatsapp +49301', 'sms +49301'],
      ['email dana@example.com'],
    ]);
    expect(chains(['+49301'], ['sms', 'whatsapp'])).toEqual([['sms +49301', 'whatsapp +49301']]);
  });

  it('include one that does not fit when none does, so that it is recorded', () => {
    expect(chains(['dana@example.com'], ['sms', 'whatsapp'])).toEqual([['sms dana@example.com !']]);
  });

  it('continue over the number of a contact, or its address, without a duplicate', () => {
    expect(chains(['anna@example.com'], ['email', 'sms'], contacts)).toEqual([
      ['email anna@example.com', 'sms +4915112345678'],
    ]);
    expect(chains(['+4915112345678', 'anna@example.com'], ['sms', 'email'], contacts)).toEqual([
      ['sms +4915112345678', 'email anna@example.com'],
    ]);
    expect(chains(['anna@example.com'], ['sms'], contacts)).toEqual([['sms +4915112345678']]);
  });

  it('do not include Slack and web push, which have recipients of their own', () => {
    expect(chains(['dana@example.com', '+49301'], ['slack', 'email', 'sms', 'push'])).toEqual([
      ['email dana@example.com'],
      ['sms +49301'],
      ['slack slack'],
      ['push push'],
    ]);
  });
});
