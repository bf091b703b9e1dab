const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The address of a link as browsers read it; null for one that is no address or has another scheme. */
export function safeAddress(written: string): string | null {
  const url = URL.parse(written.trim());
  return url !== null && schemes.has(url.protocol) ? url.href : null;
}

/** An address behind the text of its link. */
export const inBrackets = (address: string): string => (address === '' ? '' : ` (${address})`);
