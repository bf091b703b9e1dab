const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The address of a link in the form that browsers use; null for an invalid one or another scheme than the allowed ones. */
export function safeAddress(written: string): string | null {
  const url = URL.parse(written.trim());
  return url !== null && schemes.has(url.protocol) ? url.href : null;
}

/** An address in brackets, to follow the text of its link. */
export const inBrackets = (address: string): string => (address === '' ? '' : ` (${address})`);
