import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DefaultCountry } from '#delivery/provider.config.ts';

/** The settings of a phone channel for numbers without a country code. */
export type Dialling = {
  default_country?: CountryCode;
  /** The sender's number. Its country is the default when none is set. */
  from_number?: string;
  /** The sender's number, under the name that some providers use. */
  phone_number_id?: string;
};

const text = z.string().optional().catch(undefined);

/** Reads these settings from the configuration of any channel. */
export const Dialling = z.object({
  default_country: DefaultCountry.catch(undefined),
  from_number: text,
  phone_number_id: text,
});

/**
 * Converts a phone number to E.164, such as +491701234567. Null for text that is no number, and for a national number
 * when no country is known. Whether the number is assigned is left to the provider: numbering plans change faster than
 * any list of them.
 */
export function e164(number: string, dialling: Dialling = {}): string | null {
  const country = countryOf(dialling);
  const key = `${country ?? ''} ${number}`;
  const cached = parsed.get(key);
  if (cached !== undefined) return cached === '' ? null : cached;
  const dialledAbroad = number.replace(internationalPrefix, '+');
  const result = (dialledAbroad === number ? null : possible(dialledAbroad)) ?? possible(number, country);
  parsed.set(key, result ?? '');
  return result;
}

/** `00` before a country code (ITU-T E.164), whatever the country. No country's number begins with +11: `0011` is the prefix of Australia. */
const internationalPrefix = /^\s*00(?!11)(?=[\s().\p{Pd}/]*[1-9])/u;

function possible(number: string, country?: CountryCode): string | null {
  const found = parsePhoneNumberFromString(number, { defaultCountry: country, extract: false });
  return found?.isPossible() === true ? found.number : null;
}

/**
 * The key by which numbers are compared: E.164, so that `0151 23456789` of a German channel and `+49 (0)151 23456789` are one. Text that is
 * no number is its own key.
 */
export const phoneKey = (number: string, dialling?: Dialling): string =>
  plainE164.test(number) ? number : (e164(number, dialling) ?? number);

/** Numbers that are their own key, without the 35 µs of parsing: those of countries whose numbers have no other written form. */
const plainE164 = /^\+(?:1[2-9]\d{9}|(?:3[0-3]|4[013-9])[1-9]\d{5,11})$/;

// The numbers of a reminder are parsed again at each occurrence. The empty text stands for null.
const parsed = new LRUCache<string, string>({
  maxSize: 2_000_000,
  sizeCalculation: (number, key) => number.length + key.length,
});

function countryOf({ default_country, from_number, phone_number_id }: Dialling): CountryCode | undefined {
  if (default_country !== undefined) return default_country;
  const sender = from_number ?? phone_number_id ?? '';
  return sender === '' ? undefined : countryOfSender(sender.replace(/^whatsapp:/, ''));
}

function countryOfSender(sender: string): CountryCode | undefined {
  if (lastSender?.sender === sender) return lastSender.country;
  const country = parsePhoneNumberFromString(sender)?.country;
  lastSender = { sender, country };
  return country;
}

let lastSender: { sender: string; country: CountryCode | undefined } | undefined;

export const notANumber = (number: string) =>
  `“${number}” is not a phone number with its country code, such as +491701234567`;
