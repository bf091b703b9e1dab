import { describe, expect, it } from 'vitest';
import { assertOwnOrigin } from '#http/origin.ts';

describe('a request that writes', () => {
  const isAdmitted = (origin: string, { url, appUrl }: { url: string; appUrl: string | undefined }) => {
    try {
      assertOwnOrigin(new Request(url, { method: 'POST', headers: { origin } }), appUrl);
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    ['https://cuebird.example.com', true],
    ['http://cuebird.example.com', false],
    ['https://cuebird.example.com:8443', false],
    ['ftp://cuebird.example.com', false],
    ['https://cuebird.example.com.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
  ])('from %s is admitted at https://cuebird.example.com: %s', (origin, admitted) => {
    const url = 'http://127.0.0.1:3000/api/workspaces';
    expect(isAdmitted(origin, { url, appUrl: 'https://cuebird.example.com' })).toBe(admitted);
  });

  it.each([
    ['http://desk.local:3000', true],
    // A proxy in front that speaks https.
    ['https://desk.local:3000', true],
    ['ftp://desk.local:3000', false],
    ['http://desk.local', false],
    ['http://localhost:3000', false],
  ])('from %s is admitted at desk.local:3000 without APP_URL: %s', (origin, admitted) => {
    const url = 'http://desk.local:3000/api/workspaces';
    expect(isAdmitted(origin, { url, appUrl: undefined })).toBe(admitted);
  });
});
