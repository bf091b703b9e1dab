import { describe, expect, it } from 'vitest';
import { type CodeRequest, languages, requestCode } from './request-code.ts';

const request: CodeRequest = {
  method: 'POST',
  url: 'https://cuebird.example.com/api/templates',
  needsKey: true,
  body: { name: "Dana's “receipt” \\ 1", is_public: true, 'two words': [null, 1.5, {}, []] },
  answer: 'json',
};

describe('a request as code', () => {
  it('is quoted for a shell', () => {
    expect(requestCode('curl', request)).toBe(
      [
        String.raw`curl --request POST 'https://cuebird.example.com/api/templates' \ `.trimEnd(),
        String.raw`  --header "Authorization: Bearer $CUEBIRD_API_KEY" \ `.trimEnd(),
        String.raw`  --header 'Content-Type: application/json' \ `.trimEnd(),
        String.raw`  --data '{`,
        String.raw`  "name": "Dana'\''s “receipt” \\ 1",`,
        `  "is_public": true,`,
        `  "two words": [`,
        `    null,`,
        `    1.5,`,
        `    {},`,
        `    []`,
        `  ]`,
        `}'`,
      ].join('\n'),
    );
  });

  it('is TypeScript, with single quotes and plain names', () => {
    const code = requestCode('TypeScript', request);
    expect(code).toContain(String.raw`name: 'Dana\'s “receipt” \\ 1',`);
    expect(code).toContain('is_public: true,');
    expect(code).toContain(`'two words': [`);
  });

  it('is Python, with its own words for true and null', () => {
    const code = requestCode('Python', request);
    expect(code).toContain('"is_public": True,');
    expect(code).toContain('        None,');
    expect(code).toMatch(/^import json\nimport os\nimport urllib\.request\n/);
  });

  it('reads a list in two lines of a shell, and imports only what it uses', () => {
    const list: CodeRequest = { ...request, method: 'GET', body: undefined };
    expect(requestCode('curl', list).split('\n')).toHaveLength(2);
    expect(requestCode('Python', { ...list, needsKey: false, answer: 'file' })).toMatch(/^import urllib\.request\n/);
  });

  it.each(languages)('never contains a key: %s', (language) => {
    expect(requestCode(language, request)).toContain('CUEBIRD_API_KEY');
    expect(requestCode(language, { ...request, needsKey: false })).not.toContain('CUEBIRD_API_KEY');
  });
});
