import { expect, it } from 'vitest';
import { textOfFile } from './text-of-file.ts';

it('a text file is read in its own character set', async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x5a, 0, 0x6f, 0, 0xeb, 0]);
  const ansi = new Uint8Array([0x5a, 0x6f, 0xeb]);
  for (const part of ['Zoë', utf16, ansi]) expect(await textOfFile(new Blob([part]))).toBe('Zoë');
});
