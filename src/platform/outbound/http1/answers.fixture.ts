import fc from 'fast-check';

/** What a server writes for one request, and whether it then closes the connection. */
export type Scripted = { pieces: string[]; closes: boolean };

/** With its text, to be shown. */
export type Answer = Scripted & { text: string };

/** The same answers for the same seed, each split anywhere. All text is Latin-1. */
export function generatedAnswers({ count, seed }: { count: number; seed: number }): Answer[] {
  return fc.sample(answer, { numRuns: count, seed });
}

const token = fc.constantFrom(
  'X-A',
  'x-b',
  'X-LONGER-NAME',
  'eTaG',
  'Date',
  'Server',
  'Retry-After',
  'x-request-id',
  '__proto__',
  'constructor',
);
const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'Z', '0', ' ', '\t', ',', ';', '=', '"', ':', '\u00e9', '\u00a0', '\u00ff'),
    maxLength: 12,
  }),
  fc.constantFrom('120', 'Fri, 20 Nov 2026 08:05:00 GMT', 'W/"1"', ''),
);
const headers = fc
  .array(
    fc
      .tuple(token, value, fc.constantFrom('', ' ', '\t', '  '))
      .map(([name, text, blank]) => `${name}:${blank}${text.trim()}\r\n`),
    { maxLength: 5 },
  )
  .map((lines) => lines.join(''));
const status = fc.constantFrom(
  '200 OK',
  '201 Created',
  '202',
  '204 No Content',
  '205 Reset',
  '301 Moved',
  '304 Not Modified',
  '400 Bad',
  '404 ',
  '429 Caf\u00e9',
  '500 No',
  '503 Busy',
  '599 ?',
);
const version = fc.constantFrom('1.1', '1.1', '1.1', '1.0');
const connection = fc.constantFrom(
  '',
  '',
  '',
  'Connection: close\r\n',
  'connection: Keep-Alive\r\n',
  'CONNECTION: keep-alive, x\r\n',
  'Keep-Alive: timeout=5, max=3\r\n',
  'Keep-Alive: timeout=1\r\n',
);
const early = fc.constantFrom(
  '',
  '',
  '',
  '',
  'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
  'HTTP/1.1 102 Processing\r\n\r\n',
);
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      'a',
      'HTTP/1.1 200 OK\r\n\r\n',
      '0\r\n\r\n',
      '\r\n',
      '\0',
      '\u00c3\u00a9',
      '\u00ff',
      '{"id":1}',
    ),
    maxLength: 12,
  }),
  fc.integer({ min: 16_380, max: 16_390 }).map((length) => 'x'.repeat(length)),
  fc.constant('y'.repeat(40_000)),
);

/** How the body is framed, and whether the end of the connection belongs to it. */
const framed = fc
  .tuple(
    fc.constantFrom('length', 'length', 'chunked', 'chunked', 'end', 'short', 'more'),
    text,
    fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
    fc.constantFrom('', '', ';a', ';a=b', ';a="b c"'),
    fc.constantFrom('', '', 'X-Trailer: 1\r\n', 'X-Trailer: a\r\nx-trailer:\r\n'),
  )
  .map(([kind, body, sizes, extension, trailer]) => {
    switch (kind) {
      case 'length':
        return { head: `Content-Length: ${body.length}\r\n`, body, closes: false };
      case 'short':
        return { head: `content-length: ${body.length + 3}\r\n`, body, closes: true };
      case 'more':
        return {
          head: `CONTENT-LENGTH: ${body.length}\r\n`,
          body: `${body}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother`,
          closes: false,
        };
      case 'end':
        return { head: '', body, closes: true };
      case 'chunked':
        return {
          head: 'Transfer-Encoding: chunked\r\n',
          body: chunked(body, { sizes, extension, trailer }),
          closes: false,
        };
    }
  });

function chunked(
  body: string,
  { sizes, extension, trailer }: { sizes: number[]; extension: string; trailer: string },
): string {
  let at = 0;
  let written = '';
  for (const size of [...sizes, body.length]) {
    const part = body.slice(at, at + size);
    if (part !== '') written += `${part.length.toString(16)}${extension}\r\n${part}\r\n`;
    at += size;
  }
  return `${written}0${extension}\r\n${trailer}\r\n`;
}

/** Faults that a server or an attacker makes, each as a change of the whole text. */
const faults: Record<string, (text: string) => string> = {
  'a bare LF': (all) => all.replace('\r\n', '\n'),
  'a bare CR': (all) => all.replace('\r\n', '\r'),
  'a NUL in a header': (all) => all.replace('\r\n', '\r\nX-Nul: a\0b\r\n'),
  'a folded header': (all) => all.replace('\r\n', '\r\nX-Folded: a\r\n b\r\n'),
  'a blank before the colon': (all) => all.replace('\r\n', '\r\nX-Blank : a\r\n'),
  'a header without a name': (all) => all.replace('\r\n', '\r\n: a\r\n'),
  'a header without a colon': (all) => all.replace('\r\n', '\r\nnothing\r\n'),
  'a name that is no token': (all) => all.replace('\r\n', '\r\nX(a): a\r\n'),
  'two lengths': (all) => all.replace('\r\n', '\r\nContent-Length: 3\r\nContent-Length: 4\r\n'),
  'the same length twice': (all) => all.replace('\r\n', '\r\nContent-Length: 3\r\nContent-Length: 3\r\n'),
  'a list of lengths': (all) => all.replace('\r\n', '\r\nContent-Length: 3, 3\r\n'),
  'a negative length': (all) => all.replace('\r\n', '\r\nContent-Length: -1\r\n'),
  'a length with a sign': (all) => all.replace('\r\n', '\r\nContent-Length: +3\r\n'),
  'no length': (all) => all.replace('\r\n', '\r\nContent-Length:\r\n'),
  'a length and chunks': (all) => all.replace('\r\n', '\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n'),
  'a size that is no number': (all) => all.replace(/\r\n[0-9a-f]+(;[^\r]*)?\r\n/i, '\r\nzz\r\n'),
  'an endless size': (all) => all.replace(/\r\n[0-9a-f]+(;[^\r]*)?\r\n/i, `\r\n${'f'.repeat(20)}\r\n`),
  'another protocol': (all) => all.replace('HTTP/', 'ICY '),
  'a status of two digits': (all) => all.replace(/ \d{3}/, ' 20'),
  'a head without end': (all) => `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(20_000)}${all}`,
};

const fault = fc.option(fc.constantFrom(...Object.keys(faults)), { nil: null, freq: 2 });

const answer: fc.Arbitrary<Answer> = fc
  .tuple(early, version, status, headers, connection, framed, fault, fc.array(fc.nat({ max: 400 }), { maxLength: 6 }))
  .map(([before, http, code, lines, kept, { head, body, closes }, broken, cuts]) => {
    const hasBody = !/^(?:204|304)/.test(code);
    const whole = `${before}HTTP/${http} ${code}\r\n${lines}${kept}${hasBody ? head : ''}\r\n${hasBody ? body : ''}`;
    const written = broken === null ? whole : (faults[broken] ?? String)(whole);
    return {
      text: `${broken ?? ''} ${JSON.stringify(written.slice(0, 400))}`,
      pieces: split(written, cuts),
      closes: closes || broken !== null,
    };
  });

function split(whole: string, cuts: readonly number[]): string[] {
  const at = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].toSorted((a, b) => a - b);
  return at.slice(0, -1).map((from, index) => whole.slice(from, at[index + 1]));
}
