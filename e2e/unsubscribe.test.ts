import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { untilFound } from '#testing/changes.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { samplePicture } from '#testing/sample-picture.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood, showAt } from './looks.ts';
import { describeScreens, reads } from './screens.fixture.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));

describe('the page of a link to unsubscribe', () => {
  const fixture = describeScreens();

  const linkFor = (recipient: string, workspaceId = fixture.empty) =>
    `/unsubscribe/${tokens.seal({ stops: 'messages', workspaceId, channel: 'email', recipient })}`;

  /** Sends a reminder now; resolves with its job once that has ended. */
  async function send(recipient: string) {
    const { json: reminder } = await fixture.ann.call('POST', '/api/reminders', {
      workspace: fixture.empty,
      body: {
        name: 'Rent',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent of June', message: 'It is due on Monday.', recipients: [recipient] },
        metadata: { channels: ['email'] },
      },
    });
    return untilFound(fixture.databaseUrl, async () => {
      const { json } = await fixture.ann.call('GET', `/api/jobs?reminder_id=${reminder.id}`, {
        workspace: fixture.empty,
      });
      return json.data.find(({ status }: { status: string }) => status !== 'pending' && status !== 'running');
    });
  }

  it('is reached from the mail, asks first, and what it has done is seen in the ledger and taken back', async () => {
    await send('Bea <bea@example.com>');
    const inbox = await fixture.open('/inbox', { as: fixture.ann, workspace: fixture.empty });
    await inbox.getByRole('link', { name: /Rent of June/ }).click();
    const mail = inbox.frameLocator('iframe');
    await mail.getByText('It is due on Monday.').waitFor();
    const opening = inbox.context().waitForEvent('page');
    await mail.getByRole('link', { name: 'Unsubscribe' }).click();
    const page = await opening;
    await reads(page, ['Unsubscribe?', 'Mill Road sends reminders to bea@example.com by email.']);
    await press(page, 'Unsubscribe');
    await reads(page, ['You are unsubscribed', 'Mill Road sends no more reminders to bea@example.com by email.']);

    const skipped = await send('bea@example.com');
    await inbox.goto('/jobs');
    expect(skipped.status).toBe('cancelled');
    const { json } = await fixture.ann.call('GET', `/api/jobs/${skipped.id}/deliveries`, { workspace: fixture.empty });
    expect(json.data).toMatchObject([
      { recipient: 'bea@example.com', status: 'skipped', reason: 'The recipient has left all optional topics' },
    ]);

    await press(page, 'Undo');
    await reads(page, ['You are subscribed again', 'Mill Road sends reminders to bea@example.com by email.']);
    expect((await send('bea@example.com')).status).toBe('completed');
  });

  it('needs no session, works by the keyboard, and says what has become of it', async () => {
    const page = await fixture.open(linkFor('cem@example.com'));
    const button = page.getByRole('button', { name: 'Unsubscribe' });
    await button.waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { name: 'You are unsubscribed' });
    await title.waitFor();
    await expect.poll(() => title.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await title.waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  });

  it('that was cut off says so', async () => {
    const page = await fixture.open(linkFor('cem@example.com').slice(0, -5));
    await reads(page, ['This link does not work', /Open it from the mail, or/]);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
  });

  it('that cannot be looked up, or does not get through, says so and can be tried again', async () => {
    let isDown = true;
    const page = await fixture.open(linkFor('dov@example.com'), {
      before: async (opened) => {
        await opened.route('**/api/unsubscribe/*', (route) => (isDown ? route.abort() : route.continue()));
      },
    });
    await reads(page, ['The link could not be checked', /Cuebird cannot be reached/]);
    isDown = false;
    await press(page, 'Retry');
    await reads(page, ['Unsubscribe?']);
    isDown = true;
    await press(page, 'Unsubscribe');
    await page
      .getByRole('alert')
      .getByText(/Cuebird cannot be reached/)
      .waitFor();
    isDown = false;
    await press(page, 'Unsubscribe');
    await reads(page, ['You are unsubscribed']);
  });

  it('shows the sender’s own picture and name where its plan includes that', async () => {
    const workspace = await fixture.ann.createWorkspace('Elm & Sons');
    await fixture.ann.call('PUT', `/api/workspaces/${workspace}/picture`, {
      workspace,
      body: { picture: samplePicture.dataUrl },
    });
    await fixture.owner.query("update workspaces set subscription_tier = 'enterprise' where id = $1", [workspace]);
    const page = await fixture.open(linkFor('dora@example.com', workspace));
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    await expect.poll(() => page.title()).toBe('Unsubscribe · Elm & Sons');
    const logo = page.locator('main img');
    await expect
      .poll(() => logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true);
    await showAt(page, 390);
    await expectAccessible(page);
  });

  it('fits at every width, in both colour schemes, whatever the names are', async () => {
    const recipient = `${'w'.repeat(60)}@${'example.'.repeat(8)}com`;
    const page = await fixture.open(linkFor(recipient, fixture.full));
    await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    await expectGood(page);
    await press(page, 'Unsubscribe');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await expectGood(page);
  });
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
