/** The GSM 7-bit default alphabet (3GPP TS 23.038, section 6.2.1). */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Its extension table (section 6.2.1.1): each of these takes two septets. */
const extended = new Set('\f^{}\\[~]|€');

export type Segmentation = { encoding: 'GSM-7' | 'UCS-2'; segments: number };

/**
 * How a text is split into SMS: 160 septets of GSM-7 or 70 units of UCS-2 fit into one. Several lose seven or three
 * each to the header that joins them (3GPP TS 23.040, section 9.2.3.24.1). A character of two units is not split.
 */
export function segmentsOf(text: string): Segmentation {
  const characters = Array.from(text);
  const isGsm = characters.every((character) => basic.has(character) || extended.has(character));
  const sizes = characters.map((character) => (isGsm ? (extended.has(character) ? 2 : 1) : character.length));
  const [whole, part] = isGsm ? [160, 153] : [70, 67];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return { encoding: isGsm ? 'GSM-7' : 'UCS-2', segments: total <= whole ? 1 : partsOf(sizes, part) };
}

function partsOf(sizes: readonly number[], capacity: number): number {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > capacity) {
      parts++;
      used = 0;
    }
    used += size;
  }
  return parts;
}

/** The text as a phone shows it after it was sent in the GSM alphabet. */
export function inGsmAlphabet(text: string): string {
  return Array.from(text, (character) => (basic.has(character) || extended.has(character) ? character : '?')).join('');
}
