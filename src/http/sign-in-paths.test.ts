import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPaths } from '#features/auth/auth.requests.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { connectOwner } from '#testing/owner.ts';

/** The forms of sign-in: those that anybody may send, and those of somebody signed in. */
const forAnybody = [
  '/sign-up/email',
  '/sign-in/email',
  '/sign-in/social',
  '/sign-out',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
];
const forSignedIn = [
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
];

/** Fields of every form: each takes those that it knows. */
const body = {
  name: 'Mallory',
  email: 'dana.1@example.com',
  password: 'not her password',
  newPassword: 'another horse',
  currentPassword: 'not her password',
  newEmail: 'mallory@example.com',
  provider: 'google',
  code: '123456',
  token: 'made-up',
};

describe('a form of sign-in', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let callers: [string, Record<string, string>][];

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = await connectOwner(cuebird.databaseUrl);
    const dana = await cuebird.signUp('Dana');
    const suspended = await cuebird.signUp('Erin');
    const workspace = await suspended.createWorkspace('Elm Street');
    const { json } = await suspended.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM' } });
    const stream = await openEventStream(cuebird.url, { as: suspended, workspace });
    await database.query('update profiles set suspended_at = now() where id = $1', [suspended.userId]);
    // With its end the process knows of the suspension.
    while ((await stream.next()) !== null);
    callers = [
      ['anonymous', {}],
      ['suspended', { cookie: suspended.cookie }],
      ['forged', { cookie: dana.cookie.replace(/=.*/, '=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.forged') }],
      ['an API key', { authorization: `Bearer ${json.key}` }],
    ];
  });
  afterAll(async () => {
    await database.end();
    await cuebird.stop();
  });

  const send = (path: string, headers: Record<string, string>) =>
    fetch(`${cuebird.url}/api/auth${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', origin: cuebird.url, ...headers },
      body: JSON.stringify(body),
    });

  it('is in one of the two lists above: add a new one to the list of those who may send it', () => {
    expect([...forAnybody, ...forSignedIn].toSorted()).toEqual(formPaths.toSorted());
  });

  it.each(forAnybody)('%s signs nobody in without what it asks for', async (path) => {
    for (const [caller, headers] of callers) {
      const answer = await send(path, headers);
      expect(answer.status, `${caller}: ${await answer.text()}`).toBeLessThan(500);
      const sessions = answer.headers.getSetCookie().filter((cookie) => /session_token=[^;]/.test(cookie));
      expect(sessions, caller).toEqual([]);
    }
  });

  it.each(forSignedIn)('%s refuses who is not signed in', async (path) => {
    for (const [caller, headers] of callers) {
      const answer = await send(path, headers);
      expect(answer.status, `${caller}: ${await answer.text()}`).toBe(401);
    }
  });

  it('that better-auth would also answer does not exist', async () => {
    for (const path of ['/list-sessions', '/update-user', '/delete-user', '/link-social', '/admin/list-users'])
      if (!formPaths.includes(path)) expect((await send(path, {})).status, path).toBe(404);
  });
});
