/**
 * Invisible characters in an address or a number: control characters and the code points that Unicode marks as default-ignorable (soft
 * hyphen, zero-width characters, byte order mark). White space is excluded: it is visible as a gap, and no address contains it.
 */
const inAddresses = /[\0-\x08\x0e-\x1f\x7f-\x9f\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/gu;

/** Names may contain joiners and variation selectors, which change how adjacent characters look (Persian, emoji). */
const inNames =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** A fast path: nearly every address is plain ASCII. */
const isPlain = (text: string) => /^[ -~]*$/.test(text);

/** The first invisible character of an address or a number, worded to follow the field's name; null when there is none. */
export const invisibleInAddress = (text: string): string | null =>
  isPlain(text) ? null : sentenceOf(text.matchAll(inAddresses).next().value ?? null);

/** The first invisible character of a name. A line break counts: a name is one line. */
export const invisibleInName = (text: string): string | null => (isPlain(text) ? null : sentenceOf(inNames.exec(text)));

export const withoutInvisible = (text: string): string => (isPlain(text) ? text : text.replace(inAddresses, ''));

function sentenceOf(found: RegExpExecArray | null): string | null {
  if (found === null) return null;
  const code = found[0].codePointAt(0) ?? 0;
  const position = Array.from(found.input.slice(0, found.index)).length + 1;
  const name = names.get(code) ?? (code < 0xa0 ? 'control character' : null);
  const codePoint = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `has an invisible character at position ${position}: ${name === null ? codePoint : `${codePoint} (${name})`}`;
}

const names = new Map([
  [0x09, 'tab'],
  [0x0a, 'line break'],
  [0x0d, 'line break'],
  [0xad, 'soft hyphen'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'end of a change of direction'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2028, 'line break'],
  [0x2060, 'word joiner'],
  [0xfeff, 'byte order mark'],
]);
