import { oneLine } from '#domain/one-line.ts';

/** Text of people for a mail: on one line, 200 characters at most, of which no mail program makes a link. */
export const unlinked = (text: string): string =>
  oneLine(text)
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
    .slice(0, 200);
