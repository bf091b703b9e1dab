import { describe, expect, it } from 'vitest';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';

const a = (count: number) => 'a'.repeat(count);
const zh = (count: number) => 'ж'.repeat(count);

describe('the segments of an SMS', () => {
  it.each([
    ['nothing', '', 'GSM-7', 1],
    ['160 characters', a(160), 'GSM-7', 1],
    ['161 characters, each segment with a header', a(161), 'GSM-7', 2],
    ['twice 153', a(306), 'GSM-7', 2],
    ['one more than twice 153', a(307), 'GSM-7', 3],
    ['letters of the default alphabet', '@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\r\n', 'GSM-7', 1],
    ['80 signs of the extension, two septets each', '€'.repeat(80), 'GSM-7', 1],
    ['81 of them', '€'.repeat(81), 'GSM-7', 2],
    ['a sign of the extension that is not cut in two', `${a(152)}€${a(152)}`, 'GSM-7', 3],
    ['70 characters of another alphabet', zh(70), 'UCS-2', 1],
    ['71 of them', zh(71), 'UCS-2', 2],
    ['twice 67', zh(134), 'UCS-2', 2],
    ['one more than twice 67', zh(135), 'UCS-2', 3],
    ['one curly quote in plain text', `${a(69)}’`, 'UCS-2', 1],
    ['35 emoji, two units each', '😀'.repeat(35), 'UCS-2', 1],
    ['36 of them, none cut in two', '😀'.repeat(36), 'UCS-2', 2],
    ['an emoji at the end of a segment', `${zh(66)}😀${zh(66)}`, 'UCS-2', 3],
    ['a backtick, which looks plain and is not', '`', 'UCS-2', 1],
  ])('of %s', (_, text, encoding, segments) => {
    expect(segmentsOf(text)).toEqual({ encoding, segments });
  });

  it('are described in words', () => {
    expect(inSegments(segmentsOf('Hello'))).toBe('1 segment, GSM-7');
    expect(inSegments(segmentsOf(zh(71)))).toBe('2 segments, UCS-2');
  });
});
