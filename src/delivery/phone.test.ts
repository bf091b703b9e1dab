import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dialling, e164, phoneKey } from './phone.ts';
import { optOutIn } from './opt-out.ts';

describe('a phone number', () => {
  it.each([
    ['+49 170 1234567', {}, '+491701234567'],
    ['+1 (415) 555-2671', {}, '+14155552671'],
    ['+15005550006', {}, '+15005550006'],
    ['0170 1234567', { default_country: 'DE' }, '+491701234567'],
    ['0049 170 1234567', { default_country: 'DE' }, '+491701234567'],
    ['+44 20 7946 0958', { default_country: 'DE' }, '+442079460958'],
    ['(415) 555-2671', { from_number: '+1 206 555 0100' }, '+14155552671'],
    ['0170 1234567', { phone_number_id: 'whatsapp:+4915112345678' }, '+491701234567'],
    ['020 7946 0958', { default_country: 'GB', from_number: '+4915112345678' }, '+442079460958'],
    ['0170 1234567', {}, null],
    ['0170 1234567', { from_number: 'Cuebird' }, null],
    ['0170 1234567', { phone_number_id: '106540352242922' }, null],
    ['+49', {}, null],
    ['ann@example.com', { default_country: 'DE' }, null],
    ['call +491701234567', {}, null],
  ] as const)('%s with %o is %s', (text, dialling, number) => {
    expect(e164(text, dialling)).toBe(number);
  });

  it('is dialled as the configuration says', () => {
    expect(Dialling.parse({ api_key: 'x', default_country: 'de', from_number: '+1' })).toEqual({
      default_country: 'DE',
      from_number: '+1',
      phone_number_id: undefined,
    });
    expect(Dialling.parse({ default_country: 'Atlantis', from_number: 5 })).toEqual({});
  });
});

describe('the key of a number', () => {
  it.each([
    ['015123456789', { default_country: 'DE' }, '+4915123456789'],
    ['+49 (0)151 23456789', {}, '+4915123456789'],
    ['+49015123456789', {}, '+4915123456789'],
    ['004915123456789', { default_country: 'DE' }, '+4915123456789'],
    ['+4915123456789', { default_country: 'US' }, '+4915123456789'],
    ['015123456789', {}, '015123456789'],
    ['+39 06 6982', {}, '+39066982'],
  ] as const)('%s with %o is %s', (text, dialling, key) => {
    expect(phoneKey(text, dialling)).toBe(key);
  });

  it('is what the parser says, also where it is told without parsing', () => {
    const digits = fc.stringMatching(/^\+(?:1|3\d|4\d)\d{4,13}$/);
    fc.assert(
      fc.property(digits, (number) => {
        expect(phoneKey(number)).toBe(e164(number) ?? number);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a reply', () => {
  it.each(['STOP', 'stop', ' Stop\n', 'Unsubscribe', 'opt-out', 'STOP ALL', 'arret'])('of %o opts out', (text) => {
    expect(optOutIn(text)).toBe('stopped');
  });

  it.each(['START', 'unstop'])('of %o opts in again', (text) => {
    expect(optOutIn(text)).toBe('resumed');
  });

  it.each(['', 'stop it', 'Do not stop', 'yes', 'help'])('of %o does neither', (text) => {
    expect(optOutIn(text)).toBeNull();
  });
});
