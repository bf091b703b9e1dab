const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first grapheme in upper case, so that an emoji or an accented letter stays whole. */
export function initialOf(name: string): string {
  const [first] = letters.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}
