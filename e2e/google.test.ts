import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Client } from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { authenticatorOf } from '#testing/authenticator.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { type Lease, openOwnPage } from './pages.ts';

const gina = { sub: '1', email: 'gina@example.com', name: 'Gina', email_verified: true };

/** In the place of Google's server, which names this person. */
let google: Server;
let cuebird: TestCuebird;
let owner: Client;
let lease: Lease;
let page: Page;
beforeAll(async () => {
  google = createServer((_, response) => {
    const claims = Buffer.from(JSON.stringify(gina)).toString('base64url');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: 'at', id_token: `e30.${claims}.x` }));
  }).listen(0, '127.0.0.1');
  await once(google, 'listening');
  const address = google.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | URL | Request, init?: RequestInit) =>
    url instanceof Request
      ? fetch(url, init)
      : fetch(String(url).replace('https://oauth2.googleapis.com', `http://127.0.0.1:${port}`), init),
  );
  cuebird = await startTestCuebird({ env: { GOOGLE_CLIENT_ID: 'client', GOOGLE_CLIENT_SECRET: 'secret' } });
  owner = await connectOwner(cuebird.databaseUrl);
  lease = await openOwnPage({ baseURL: cuebird.url });
  ({ page } = lease);
  // Google's consent page, on which the person agrees.
  await page.route('https://accounts.google.com/**', (route) => {
    const { searchParams: asked } = new URL(route.request().url());
    const back = `${asked.get('redirect_uri')}?code=a-code&state=${encodeURIComponent(asked.get('state') ?? '')}`;
    return route.fulfill({ status: 302, headers: { location: back } });
  });
});
afterAll(async () => {
  await lease.giveBack();
  await owner.end();
  vi.unstubAllGlobals();
  google.close().closeAllConnections();
  await cuebird.stop();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function continueWithGoogle(): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
}

const submitCode = async (label: string, code: string) => {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** A test does not wait for half a minute to use another one. */
const forgetUsedCodes = () => owner.query('update auth_two_factors set last_step = null');

describe('a sign-in with Google', () => {
  it('leads to the dashboard, the first time and the next', async () => {
    await continueWithGoogle();
    await page.getByLabel('Workspace name').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard');
    await page.getByLabel('Workspace name').fill('Elm Street');
    await page.getByRole('button', { name: 'Create Workspace' }).click();
    await heading('Dashboard');
    await continueWithGoogle();
    await heading('Dashboard');
  });

  it('leads administrators to a second factor that they do not have', async () => {
    const become = (isAdministrator: boolean) =>
      owner.query('update profiles set is_system_admin = $1', [isAdministrator]);
    await become(true);
    await continueWithGoogle();
    await heading('Set up two-factor authentication');
    await page.getByRole('button', { name: 'Not now' }).click();
    await heading('Dashboard');
    await become(false);
  });

  it('asks for the second factor where there is one, and takes its code or a recovery code', async () => {
    await continueWithGoogle();
    await heading('Dashboard');
    await page.goto('/settings');
    const section = page.getByRole('region', { name: 'Two-factor authentication' });
    await section.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
    const app = authenticatorOf(`otpauth://totp/Cuebird:x?secret=${secret}`);
    await dialog.getByLabel('Code', { exact: true }).fill(app.code());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const [recoveryCode = ''] = await codes.allInnerTexts();
    await dialog.getByRole('button', { name: 'I have saved them' }).click();

    await continueWithGoogle();
    await heading('Enter your code');
    await submitCode('Code', '000000');
    await page.getByText('This is not the code of your app').waitFor();
    await page.goto('/dashboard');
    await heading('Enter your code');
    await forgetUsedCodes();
    await submitCode('Code', app.code());
    await heading('Dashboard');

    await continueWithGoogle();
    await heading('Enter your code');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await submitCode('Recovery code', recoveryCode);
    await heading('Dashboard');
  });
});
