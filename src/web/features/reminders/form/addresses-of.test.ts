import { describe, expect, it } from 'vitest';
import { addressesOf } from './addresses-of.ts';

const anna = { email: 'anna@example.com', phone: '+4915112345678' };

describe('a contact that is chosen as a recipient', () => {
  it('is reached at the addresses of the chosen channels', () => {
    expect(addressesOf(anna, ['email'])).toEqual(['anna@example.com']);
    expect(addressesOf(anna, ['sms', 'slack'])).toEqual(['+4915112345678']);
    expect(addressesOf(anna, ['whatsapp', 'email'])).toEqual(['anna@example.com', '+4915112345678']);
  });

  it('is reached at any of its addresses when no chosen channel fits', () => {
    expect(addressesOf(anna, [])).toEqual(['anna@example.com']);
    expect(addressesOf({ email: null, phone: anna.phone }, ['email'])).toEqual(['+4915112345678']);
    expect(addressesOf({ email: null, phone: null }, ['email'])).toEqual([]);
  });
});
