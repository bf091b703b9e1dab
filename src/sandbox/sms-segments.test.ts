import { describe, expect, it } from 'vitest';
import { inGsmAlphabet, segmentsOf } from './sms-segments.ts';

describe('the segments of an SMS', () => {
  it.each([
    ['nothing', '', 'GSM-7', 1],
    ['160 septets', 'x'.repeat(160), 'GSM-7', 1],
    ['161 septets, 153 to a part', 'x'.repeat(161), 'GSM-7', 2],
    ['306 septets', 'x'.repeat(306), 'GSM-7', 2],
    ['307 septets', 'x'.repeat(307), 'GSM-7', 3],
    ['umlauts of the basic alphabet', 'Grüße aus Köln', 'GSM-7', 1],
    ['80 euro signs, which take two septets each', '€'.repeat(80), 'GSM-7', 1],
    ['81 euro signs', '€'.repeat(81), 'GSM-7', 2],
    ['153 euro signs, 76 to a part since none is cut', '€'.repeat(153), 'GSM-7', 3],
    ['70 letters of another script', 'я'.repeat(70), 'UCS-2', 1],
    ['71 letters of another script', 'я'.repeat(71), 'UCS-2', 2],
    ['one accent that GSM lacks among 100 letters', `${'x'.repeat(99)}ç`, 'UCS-2', 2],
    ['35 emoji', '😀'.repeat(35), 'UCS-2', 1],
    ['67 emoji, 33 to a part since none is cut', '😀'.repeat(67), 'UCS-2', 3],
  ])('counts %s', (_, text, encoding, segments) => {
    expect(segmentsOf(text)).toEqual({ encoding, segments });
  });

  it('shows a question mark for characters that the GSM alphabet lacks', () => {
    expect(inGsmAlphabet('Señor Ünal: 5 € – ☕')).toBe('Señor Ünal: 5 € ? ?');
  });
});
