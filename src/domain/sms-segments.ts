/** How a text is sent as SMS: its alphabet and the number of segments (3GPP TS 23.038 and 23.040). */
export type Segments = { encoding: 'GSM-7' | 'UCS-2'; segments: number };

/** The characters of the default alphabet, which take one septet each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Characters of the extension table, which take two septets: an escape and their own. */
const extended = new Set('\f^{}\\[~]|€');

export function segmentsOf(text: string): Segments {
  const characters = Array.from(text);
  const isGsm = characters.every((character) => basic.has(character) || extended.has(character));
  return isGsm
    ? {
        encoding: 'GSM-7',
        segments: cut(
          characters.map((one) => (extended.has(one) ? 2 : 1)),
          [160, 153],
        ),
      }
    : {
        encoding: 'UCS-2',
        segments: cut(
          characters.map((one) => one.length),
          [70, 67],
        ),
      };
}

/** A character is never split: one that does not fit begins the next segment. */
function cut(widths: readonly number[], [alone, joined]: readonly [number, number]): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= alone) return 1;
  let segments = 1;
  let capacity = joined;
  for (const width of widths) {
    if (width > capacity) {
      segments += 1;
      capacity = joined;
    }
    capacity -= width;
  }
  return segments;
}

export const inSegments = ({ encoding, segments }: Segments) =>
  `${segments} ${segments === 1 ? 'segment' : 'segments'}, ${encoding}`;
