import { describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/channel-types.ts';
import { fallbackChainsOf, preferredFirst } from '#domain/fallback-chains.ts';
import { parseLineOf, targetsOf, targetsOfLines } from '#domain/recipients.ts';

const anna = { id: 'anna', email: 'anna@example.com', phone: '+4915112345678', preferred_channel: null };
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

  it('begin with the one that the person prefers, where it can be sent to', () => {
    const ben = { id: 'ben', email: 'ben@example.com', phone: '+4915112345679', preferred_channel: 'sms' as const };
    const contactOf = (recipient: string) => (recipient === ben.email || recipient === ben.phone ? ben : null);
    const [chain = []] = fallbackChainsOf(targetsOf([ben.email], ['email', 'whatsapp', 'sms']), {
      channels: ['email', 'whatsapp', 'sms'],
      contactOf,
    });
    const order = (canSend: boolean) => preferredFirst(chain, () => canSend).map(({ channel }) => channel);
    expect(order(true)).toEqual(['sms', 'email', 'whatsapp']);
    expect(order(false)).toEqual(['email', 'whatsapp', 'sms']);
    const [other = []] = fallbackChainsOf(targetsOf([ben.email], ['email', 'whatsapp']), {
      channels: ['email', 'whatsapp'],
      contactOf,
    });
    expect(preferredFirst(other, () => true)).toBe(other);
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

  it.each([
    ['is no contact', new Map()],
    ['is a contact by the first', new Map([['erin@example.com', { ...anna, email: 'erin@example.com', phone: null }]])],
    ['is a contact by the other one', new Map([['+49301', { ...anna, email: null, phone: '+49301' }]])],
  ])('follow each other for a person with two addresses in an event, who %s', (_, known) => {
    const named = ['Erin <erin@example.com>', '+49301'];
    const lines = ['+49302', ...named].map((text) => parseLineOf(text, { named }));
    const found = fallbackChainsOf(targetsOfLines(lines, ['sms', 'email']), {
      channels: ['sms', 'email'],
      contactOf: (recipient) => known.get(recipient) ?? null,
    });
    expect(found.map((chain) => chain.map(({ recipient, through }) => [recipient, through]))).toEqual([
      [['+49302', undefined]],
      [
        ['+49301', 'erin@example.com'],
        ['erin@example.com', undefined],
      ],
    ]);
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
