import { invisibleInAddress, withoutInvisible } from '#contract/invisible.ts';

/** The maximum length of an address, as in the database columns. */
export const emailLimit = 320;

/** `domain` in its ASCII form (IDNA, UTS 46), in lower case, without a final dot. */
export type EmailAddress = { local: string; domain: string };

/** The specials of RFC 5322 are legal only in quoted local parts, which are not supported. */
const localForm = /^[^\s@<>,;:"()[\]\\]+$/u;

/** Parses an email address, ignoring invisible characters. Returns null for any other text. */
export function parseEmail(text: string): EmailAddress | null {
  if (text.length > emailLimit) return null;
  const seen = withoutInvisible(text);
  const at = seen.lastIndexOf('@');
  const local = seen.slice(0, Math.max(at, 0));
  if (!localForm.test(local)) return null;
  const domain = asciiDomain(seen.slice(at + 1));
  return domain === null ? null : { local, domain };
}

/** Whether mail can be sent to the text as it is written. */
export const isEmailAddress = (text: string): boolean => invisibleInAddress(text) === null && parseEmail(text) !== null;

/**
 * The key by which addresses are compared: spellings of one mailbox that differ in case, invisible characters, full-width letters or
 * the form of the domain share a key. Text that is not an address becomes lower case.
 */
export function emailKey(text: string): string {
  const address = parseEmail(text);
  return address === null ? text.toLowerCase() : mailboxKey(address);
}

/** The key of a parsed address. */
export const mailboxKey = ({ local, domain }: EmailAddress): string => `${foldedLocal(local)}@${domain}`;

/** The address for SMTP: an ASCII domain and the local part unchanged. Text that is not an address is returned unchanged. */
export function sendableEmail(text: string): string {
  const address = parseEmail(text);
  return address === null ? text : `${address.local}@${address.domain}`;
}

/** RFC 6531: only a server that offers SMTPUTF8 takes an address with such a local part. */
export const needsSmtpUtf8 = (text: string): boolean => /[^\0-\x7f]/.test(text.slice(0, text.lastIndexOf('@')));

/** A probable typo in an address that could be sent to, as words to follow "the address"; null when none is found. */
export function typoIn(text: string): string | null {
  const address = parseEmail(text);
  return address === null ? null : typoOf(address, text);
}

/** The probable typo in an address that is already parsed from this text. */
export function typoOf({ local, domain }: EmailAddress, text: string): string | null {
  if (local.startsWith('.')) return 'begins with a dot';
  if (local.endsWith('.')) return 'has a dot before the @';
  if (domain.startsWith('.')) return 'has a dot after the @';
  if (local.includes('..') || domain.includes('..')) return 'has two dots in a row';
  if (/[.。．｡]$/.test(withoutInvisible(text))) return 'ends with a dot';
  const labels = domain.split('.');
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-')))
    return 'has a hyphen at the beginning or the end of a part of its domain';
  if (labels.some((label) => label.length > 63)) return 'has a part of more than 63 characters in its domain';
  if (labels.length === 1) return 'has no ending such as .com';
  return null;
}

/**
 * NFKC is the comparison form of the strictest servers (RFC 8265 maps widths, RFC 4013 uses all of it). A key that joins too many
 * addresses is the safer error: nobody receives a message twice or despite the suppression list.
 */
function foldedLocal(local: string): string {
  const lower = local.toLowerCase();
  if (/^[!-~]*$/.test(lower)) return lower;
  const candidates = [folded(local, 'NFKC'), folded(local, 'NFC')];
  // NFKC expands some single characters to a blank or to several words.
  return candidates.find((one) => one.length <= emailLimit && localForm.test(one)) ?? local;
}

/** Normalizes again after the case change, which can produce new sequences. */
const folded = (text: string, form: 'NFC' | 'NFKC') => text.normalize(form).toLowerCase().normalize(form);

const hostForm = /^[A-Za-z0-9._-]+$/;

/**
 * Returns null for text that is not a DNS name. The URL parser applies UTS 46 in browsers and in Node, but also reads numbers as IPv4
 * addresses and `%61` as a letter. The regular expression excludes both: the name ends in a letter and has no other ASCII characters.
 */
function asciiDomain(text: string): string | null {
  const ascii = hostForm.test(text) ? text.toLowerCase() : mappedDomain(text);
  if (ascii === null || !hostForm.test(ascii)) return null;
  const domain = withoutFinalDots(ascii);
  const last = domain.slice(domain.lastIndexOf('.') + 1);
  const isNumber = /^(?:\d+|0x[0-9a-f]*)$/.test(last);
  return domain === '' || domain.length > 253 || isNumber ? null : domain;
}

const suffix = '.invalid';

function mappedDomain(text: string): string | null {
  if (/[^A-Za-z0-9._\-\u0080-\u{10ffff}]/u.test(text)) return null;
  const host = URL.parse(`http://${text}${suffix}`)?.hostname;
  return host?.endsWith(suffix) ? host.slice(0, -suffix.length) : null;
}

function withoutFinalDots(domain: string): string {
  let end = domain.length;
  while (domain[end - 1] === '.') end -= 1;
  return domain.slice(0, end);
}
