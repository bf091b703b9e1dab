import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { dayInWords } from '#domain/day-in-words.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { untilFound } from '#testing/changes.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { samplePicture } from '#testing/sample-picture.ts';
import { expectAccessible } from './accessible.ts';
import { showAt } from './looks.ts';
import { describeScreens, expectFits, reads } from './screens.fixture.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));

describe('the page of a link to unsubscribe', () => {
  const fixture = describeScreens();

  const linkFor = (recipient: string, workspaceId = fixture.empty, topicId: string | null = null) =>
    `/unsubscribe/${tokens.seal({ stops: 'messages', workspaceId, channel: 'email', recipient, topicId })}`;

  /** A workspace with an optional topic, and one that nobody can leave. */
  async function withTopics(name = 'Events') {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const create = (body: object) => fixture.call(workspace, { path: '/api/topics', body });
    const { id: topic } = await create({ name });
    await create({ name: 'Notices', kind: 'required', why: 'law' });
    return { workspace, topic };
  }

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
      { recipient: 'bea@example.com', status: 'skipped', reason: 'The recipient has left all optional messages' },
    ]);

    await press(page, 'Undo');
    await reads(page, ['You are subscribed', 'Mill Road sends reminders to bea@example.com by email.']);
    expect((await send('bea@example.com')).status).toBe('completed');
  });

  it('needs neither a session nor JavaScript, and works by the keyboard', async () => {
    const { workspace, topic } = await withTopics();
    await fixture.call(workspace, { path: '/api/topics', body: { name: 'News' } });
    const path = linkFor('cem@example.com', workspace, topic);
    const page = await fixture.open(path, { own: { baseURL: fixture.url, javaScriptEnabled: false } });
    await reads(page, ['Stop Events?', 'Other topics']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await reads(page, ['You have left Events', 'Saved.']);
    await page.getByRole('button', { name: 'Stop News' }).press('Enter');
    await page.getByRole('button', { name: 'Undo and get News again' }).waitFor();
    await page.reload();
    await reads(page, ['You have left Events']);
    await page.getByRole('button', { name: 'Undo and get News again' }).press('Enter');
    await page.getByRole('button', { name: 'Stop News' }).waitFor();
    await press(page, 'Undo');
    await reads(page, ['You get Events']);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/suppressions' });
    expect(data).toEqual([]);
  });

  it('names the topic of the message: it is left alone, or all optional messages are, and each is taken back', async () => {
    const { workspace, topic } = await withTopics();
    const page = await fixture.open(linkFor('ada@example.com', workspace, topic));
    const stays = ['You will still get what Oak Lane has to send:', 'Notices, because the law requires it'];
    await reads(page, ['Stop Events?', 'Oak Lane sends messages about Events to ada@example.com by email.', ...stays]);
    await looksGood(page);
    await press(page, 'Stop Events');
    await reads(page, ['You have left Events', /^Oak Lane sends no more messages about Events/, ...stays]);
    await looksGood(page);
    await press(page, 'Undo');
    await reads(page, ['You get Events']);
    await press(page, 'Stop Events');
    await press(page, 'Stop all optional messages from Oak Lane');
    await reads(page, ['You have left all optional messages', /^Oak Lane sends no more optional messages/, ...stays]);
    await looksGood(page);
    await page.reload();
    await reads(page, ['You have left all optional messages']);
    await press(page, 'Undo');
    await reads(page, ['You have left Events']);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/suppressions' });
    expect(data).toMatchObject([{ recipient: 'ada@example.com', covers: 'topic', topic_id: topic }]);
  });

  it('pauses optional messages until a day, without JavaScript, and ends the pause', async () => {
    const { workspace, topic } = await withTopics();
    const own = { baseURL: fixture.url, javaScriptEnabled: false };
    const page = await fixture.open(linkFor('eva@example.com', workspace, topic), { own });
    const day = Temporal.Now.plainDateISO('UTC').add({ days: 40 });
    await page.getByLabel('Pause optional messages until').fill(day.toString());
    await press(page, 'Pause');
    const until = dayInWords(day.toString());
    await reads(page, [
      'Optional messages are paused',
      `Oak Lane sends no optional messages to eva@example.com by email until ${until}.`,
      `Paused until ${until}`,
      'You will still get what Oak Lane has to send:',
    ]);
    const scripted = await fixture.open(linkFor('eva@example.com', workspace, topic));
    await reads(scripted, ['Optional messages are paused']);
    await looksGood(scripted);
    await press(scripted, 'Stop Events');
    await reads(scripted, ['You have left Events', `Paused until ${until}`]);
    await looksGood(scripted);
    await press(page, 'End the pause');
    await reads(page, ['You have left Events', 'Pause']);
  });

  it('sends a link of their own, which takes back what they left long ago, without JavaScript', async () => {
    const { workspace, topic } = await withTopics();
    const own = { baseURL: fixture.url, javaScriptEnabled: false };
    const page = await fixture.open(linkFor('gus@example.com', workspace, topic), { own });
    await press(page, 'Stop Events');
    await fixture.owner.query("update suppressions set created_at = '2026-03-02T12:00:00Z' where workspace_id = $1", [
      workspace,
    ]);
    await page.reload();
    await reads(page, [
      'You have left Events',
      'You asked for this on 2 Mar 2026. To get messages again, have a link sent to you, or ask Oak Lane.',
    ]);
    await page.getByRole('button', { name: 'Send me a link' }).press('Enter');
    await page.getByText('A link is on its way to gus@example.com.').waitFor();
    const scripted = await fixture.open(page.url());
    await scripted.getByText('A link is on its way to gus@example.com.').waitFor();
    await looksGood(scripted);
    const mail = await untilFound(fixture.databaseUrl, async () => {
      const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/inbox?channel=email' });
      return data[0] ?? null;
    });
    const [, path = ''] = /https?:\/\/[^/]+(\/unsubscribe\/[\w-]+)/.exec(mail.text) ?? [];
    await page.goto(path);
    await page.getByText(/^This link was sent to you alone\. For \d+ minutes more/).waitFor();
    await scripted.goto(path);
    await looksGood(scripted);
    await press(page, 'Undo and get Events again');
    await page.getByRole('button', { name: 'Stop Events' }).waitFor();
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/suppressions' });
    expect(data).toEqual([]);
  });

  it('chooses the hours in which messages come, without JavaScript and by the keyboard, and gives them up', async () => {
    const { workspace, topic } = await withTopics();
    const own = { baseURL: fixture.url, javaScriptEnabled: false };
    const page = await fixture.open(linkFor('ida@example.com', workspace, topic), { own });
    await page.getByText('Choose hours', { exact: true }).press('Enter');
    await page.getByLabel('From').fill('18:00');
    await page.getByLabel('To', { exact: true }).fill('20:30');
    await page.getByRole('checkbox', { name: 'Sun' }).uncheck();
    await page.getByRole('combobox', { name: 'Timezone' }).selectOption('Europe/Berlin');
    await page.getByRole('button', { name: 'Save the hours' }).press('Enter');
    await page.getByText('Messages come Mon–Sat 18:00–20:30, Europe/Berlin time.').waitFor();
    const scripted = await fixture.open(linkFor('ida@example.com', workspace, topic));
    await scripted.getByText('Change the hours', { exact: true }).click();
    await scripted.getByRole('combobox', { name: 'Timezone' }).waitFor();
    await looksGood(scripted);
    await press(page, 'Messages may come at any time');
    await page.getByText('Messages from Oak Lane come at any time that Oak Lane sends.').waitFor();
  });

  it('of an older message, which names no topic, ends all optional messages', async () => {
    const { workspace } = await withTopics();
    const page = await fixture.open(linkFor('bea@example.com', workspace));
    await reads(page, ['Unsubscribe?', 'Notices, because the law requires it']);
    await press(page, 'Stop all optional messages from Oak Lane');
    await reads(page, ['You have left all optional messages']);
    await press(page, 'Undo');
    await reads(page, ['You are subscribed']);
  });

  it('says where nothing is sent at all, and what a member added is not taken back', async () => {
    const { workspace, topic } = await withTopics();
    const entry = { channel: 'email', recipient: 'cem@example.com' };
    await fixture.call(workspace, { path: '/api/suppressions', body: entry });
    const page = await fixture.open(linkFor('cem@example.com', workspace, topic));
    await reads(page, [
      'You are unsubscribed',
      'Oak Lane sends no more reminders to cem@example.com by email.',
      'To get messages again, ask Oak Lane.',
    ]);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    await expect.poll(() => page.getByText('You will still get').count()).toBe(0);
    await looksGood(page);
  });

  it('wraps the names of topics, whatever they are', async () => {
    const { workspace, topic } = await withTopics('W'.repeat(60));
    await fixture.call(workspace, { path: '/api/topics', body: { name: 'X'.repeat(60) } });
    const page = await fixture.open(linkFor(`${'w'.repeat(60)}@example.com`, workspace, topic));
    await page.getByRole('button', { name: `Stop ${'W'.repeat(60)}` }).waitFor();
    await looksGood(page);
    await press(page, `Stop ${'W'.repeat(60)}`);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await looksGood(page);
  });

  it('that was cut off says so, and a form that is refused does, too', async () => {
    const page = await fixture.open(linkFor('cem@example.com').slice(0, -5));
    await reads(page, ['This link does not work', /Open it from the message, or/]);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    await looksGood(page);
    const { workspace, topic } = await withTopics();
    await page.goto(linkFor('dov@example.com', workspace, topic));
    await fixture.owner.query('delete from topics where id = $1', [topic]);
    await press(page, 'Stop Events');
    await reads(page, ['This did not work', 'There is no such topic any more']);
    await looksGood(page);
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
    await expect.poll(() => page.title()).toBe('Unsubscribe? · Elm & Sons');
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
    await page.getByRole('button').first().waitFor();
    await looksGood(page);
    await page.getByRole('button').first().click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await looksGood(page);
  });
});

/** Nothing is cut and everyone can use it, at both widths and in both colour schemes, which the page takes from the system. */
async function looksGood(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await showAt(page, width);
      await expectFits(page);
    }
    await expectAccessible(page);
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
