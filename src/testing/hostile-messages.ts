import fc from 'fast-check';

/** A template with values, some of which try to become markup, a script, a link that runs, or a header. */
export type HostileMessage = { subject: string; message: string; values: Record<string, string> };

const attacks = [
  '<script>dialog("1")</script>',
  '<img src=x onerror=alert(2)>',
  '<img src="https://evil.example/pixel.png">',
  '![x](https://evil.example/pixel.png)',
  '![x](javascript:alert(3))',
  '[x](javascript:alert(4))',
  '[x](JaVaScRiPt:alert(5))',
  '[x](java\nscript:alert(6))',
  '[x](data:text/html,<script>alert(7)</script>)',
  '[x](vbscript:msgbox(8))',
  '[x](https://ok.example "onmouseover=alert(9)")',
  '<javascript:alert(10)>',
  '<https://ok.example/"onclick="alert(11)>',
  'https://ok.example/"onmouseover="alert(12)',
  "https://ok.example/'onfocus='alert(13)",
  '</title></style></textarea><svg onload=alert(14)>',
  '</p></td></tr></table><iframe src="https://evil.example"></iframe>',
  '"><script>alert(15)</script>',
  '--><!--',
  '<style>@import "https://evil.example/a.css";</style>',
  '<link rel=stylesheet href=https://evil.example/b.css>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><button>x</button></form>',
  '\r\nBcc: victim@evil.example',
  '\nContent-Type: text/html\n\n<script>alert(16)</script>',
  '=?utf-8?Q?=0D=0ABcc:_victim@evil.example?=',
  '\ufdd0\ufde0\ufdd1',
  '\ufdd4\ufde0\ufdd1<script>alert(17)</script>\ufdd5\ufde0\ufdd1',
  '\ufdd0',
  '\ufdd1',
  '&lt;script&gt;alert(18)&lt;/script&gt;',
  '&#x6a;avascript:alert(19)',
  '<!channel> <https://evil.example|your bank>',
  '```\n<script>alert(20)</script>\n```',
  '`<script>alert(21)</script>`',
  '[a]: javascript:alert(22)\n[a]',
  '\u202e\u2028\u2029\u0085',
  '*_~`#>-+1.|[](){}!\\',
  'https://',
  'https://{{a}}',
  '{{b}}',
  '{% if a %}',
];

const ordinary = [
  'Anna',
  '950 €',
  'https://pay.example/a?b=1&c=2',
  '**due**',
  '\n\n',
  '- one\n- two',
  '> said',
  ' ',
  '# Rent',
];
const shapes = [
  '{{a}}',
  '**{{a}}**',
  '[pay]({{a}})',
  '[{{b}}](https://ok.example/{{a}})',
  '`{{a}}`',
  '> {{b}}',
  '- {{a}}',
  '{{ b | upcase }}',
];

const part = fc.oneof(
  fc.constantFrom(...attacks),
  fc.constantFrom(...ordinary),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(...Array.from('<>"\'&[]()!*_~`#-+\\/:=\r\n \ufdd0\ufdd1\ufdd4\ufde0')),
    maxLength: 30,
  }),
);
const text = (most: number) => fc.array(part, { maxLength: most }).map((parts) => parts.join(''));
const withoutLiquid = (written: string) => written.replaceAll(/\{[%{]/g, '{');
const template = fc
  .array(fc.oneof(fc.constantFrom(...shapes), part.map(withoutLiquid)), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(' '));

const message: fc.Arbitrary<HostileMessage> = fc.record({
  subject: fc.tuple(text(3).map(withoutLiquid), fc.constantFrom('', ' {{a}}')).map((parts) => parts.join('')),
  message: template,
  values: fc.record({ a: text(4), b: text(4) }),
});

/** The same messages for the same seed. */
export const hostileMessages = ({ count, seed }: { count: number; seed: number }): HostileMessage[] =>
  fc.sample(message, { numRuns: count, seed });
