import { describe, expect, it } from 'vitest';
import { type Piece, piecesOfSlack, piecesOfSms, piecesOfWhatsApp } from './marked-text.ts';

const plain = (text: string): Piece => ({ kind: 'plain', text });

describe('the text of a message', () => {
  it('in WhatsApp is bold, italic, struck or code between its marks', () => {
    expect(piecesOfWhatsApp('*Rent* is _due_, not ~late~: `1.200`')).toEqual([
      { kind: 'bold', text: 'Rent' },
      plain(' is '),
      { kind: 'italic', text: 'due' },
      plain(', not '),
      { kind: 'struck', text: 'late' },
      plain(': '),
      { kind: 'code', text: '1.200' },
    ]);
  });

  it.each(['2 * 3 * 4', 'snake_case_name', 'a*b*c', '* not bold *', '*one\ntwo*', '5* and 6*'])(
    'has no marks in “%s”',
    (text) => {
      expect(piecesOfWhatsApp(text)).toEqual([plain(text)]);
    },
  );

  it('in an SMS has no marks, but links', () => {
    expect(piecesOfSms('*Pay* at https://example.com/a. Or https://b.test/?c=1')).toEqual([
      plain('*Pay* at '),
      { kind: 'link', text: 'https://example.com/a', url: 'https://example.com/a' },
      plain('. Or '),
      { kind: 'link', text: 'https://b.test/?c=1', url: 'https://b.test/?c=1' },
    ]);
  });

  it('in Slack has named links and three escaped characters', () => {
    expect(piecesOfSlack('*A &amp; B*\n<https://example.com|Pay &gt; now> 1 &lt; 2 &amp;lt; <https://b.test>')).toEqual(
      [
        { kind: 'bold', text: 'A & B' },
        plain('\n'),
        { kind: 'link', url: 'https://example.com', text: 'Pay > now' },
        plain(' 1 < 2 &lt; '),
        { kind: 'link', url: 'https://b.test', text: 'https://b.test' },
      ],
    );
  });

  it('makes no link of a javascript: URL', () => {
    expect(piecesOfSlack('<javascript:alert(1)|Pay>')).toEqual([plain('<javascript:alert(1)|Pay>')]);
  });
});
