import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const newWorkspace = () => fixture.ann.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);

const openTopics = (workspace: string, visit: object = {}) =>
  fixture.open(`/admin/workspace/${workspace}/manage?tab=topics`, { as: fixture.ann, workspace, ...visit });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const createTopic = (workspace: string, body: object) => fixture.call(workspace, { path: '/api/topics', body });

describe.concurrent('the topics of a workspace', () => {
  it('are explained while there are none; one is created by keyboard, and preselected for new reminders', async ({
    expect,
  }) => {
    const workspace = await newWorkspace();
    const page = await openTopics(workspace);
    await reads(page, ['No topics yet', /“Notices”, “Rent” or “Events”/]);
    await expectGood(page);
    await page.getByRole('button', { name: 'New topic' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New topic' });
    await dialog.getByLabel('Name').waitFor();
    await page.keyboard.press('Enter');
    await reads(page, ['Please provide a name for the topic']);
    await dialog.getByLabel('Name').fill('Events');
    await dialog.getByLabel('Preselected for new reminders').press('Space');
    await expectGood(page);
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Topic created', text: 'Events' });
    await dialog.waitFor({ state: 'detached' });
    await reads(page, ['Optional', 'Default', '0 reminders · nobody has left it']);
    await expectGood(page);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/topics' });
    expect(data).toMatchObject([{ name: 'Events', kind: 'optional', why: null, is_default: true }]);
  });

  it('that are required have a reason, and say what that means; a name counts once', async () => {
    const workspace = await newWorkspace();
    await createTopic(workspace, { name: 'Events' });
    const page = await openTopics(workspace);
    await press(page, 'New topic');
    const dialog = page.getByRole('dialog', { name: 'New topic' });
    await dialog.getByLabel('Name').fill('events');
    await dialog.getByRole('radio', { name: 'Required' }).check();
    await dialog
      .getByText(
        'People cannot unsubscribe from this topic. You can make it optional later, but then never required again.',
      )
      .waitFor();
    await dialog.getByLabel('Preselected for new reminders').waitFor({ state: 'detached' });
    await press(page, 'Create topic');
    await reads(page, ['Choose the reason']);
    await expectGood(page);
    await dialog.getByRole('combobox', { name: 'Why you have to send it' }).click();
    await page.getByRole('option', { name: 'The law', exact: true }).click();
    await press(page, 'Create topic');
    await reads(page, ['There is a topic events already']);
    await dialog.getByLabel('Name').fill('Notices');
    await press(page, 'Create topic');
    await dialog.waitFor({ state: 'detached' });
    await reads(page, ['Required by law', '0 reminders · nobody can leave it']);
    await expectGood(page);
  });

  it('become optional for good, after a word about that, and never required', async ({ expect }) => {
    const workspace = await newWorkspace();
    await createTopic(workspace, { name: 'Notices', kind: 'required', why: 'contract' });
    const page = await openTopics(workspace);
    await press(page, 'Edit Notices');
    const dialog = page.getByRole('dialog', { name: 'Edit Notices' });
    await dialog.getByRole('radio', { name: 'Optional' }).check();
    await dialog.getByText(/an optional topic never becomes required again/).waitFor();
    await expectGood(page);
    await press(page, 'Save topic');
    await dialog.waitFor({ state: 'detached' });
    await reads(page, ['Optional']);
    await press(page, 'Edit Notices');
    await dialog.getByText(/It cannot become required, because people may have left it/).waitFor();
    await expect.poll(() => dialog.getByRole('radio').count()).toBe(0);
    await expectGood(page);
  });

  it('are archived, which keeps what has them as it is, and restored', async () => {
    const workspace = await newWorkspace();
    const { id } = await createTopic(workspace, { name: 'Rent' });
    await fixture.call(workspace, {
      path: '/api/reminders',
      body: {
        name: 'Rent of June',
        status: 'draft',
        schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
        content: { subject: 'Rent', message: 'Due', recipients: ['bea@example.com'], topic_id: id },
        metadata: { channels: ['email'] },
      },
    });
    const page = await openTopics(workspace);
    await reads(page, ['1 reminder · nobody has left it']);
    await press(page, 'Archive Rent');
    const dialog = page.getByRole('dialog', { name: 'Archive Rent?' });
    await dialog.getByText(/1 reminder goes on with it/).waitFor();
    await expectGood(page);
    await press(page, 'Archive topic');
    await dialog.waitFor({ state: 'detached' });
    await reads(page, ['Archived']);
    await expectGood(page);
    await press(page, 'Restore Rent');
    await toast(page, { title: 'Topic restored', text: 'Rent can be chosen again.' });
    await page.getByRole('button', { name: 'Archive Rent' }).waitFor();
  });

  it('are shown to members, who cannot change them', async ({ expect }) => {
    const workspace = await newWorkspace();
    await createTopic(workspace, { name: 'W'.repeat(60) });
    const member = await fixture.signUp('Mo Member');
    await addMember(fixture.owner, { workspace, userId: member.userId, role: 'member' });
    const page = await openTopics(workspace, { as: member });
    await reads(page, ['W'.repeat(60), /Owners and admins change topics\.$/]);
    await expect.poll(() => page.getByRole('button', { name: /topic|Edit|Archive/ }).count()).toBe(0);
    await expectGood(page);
  });

  it('say when they cannot be loaded, and keep what was typed when they cannot be saved', async ({ expect }) => {
    const workspace = await newWorkspace();
    const page = await openTopics(workspace, { before: (opened: Page) => breakDown(opened, '/api/topics') });
    await reads(page, ['Error loading topics', outage]);
    await restore(page);
    await press(page, 'Retry');
    await reads(page, ['No topics yet']);
    await breakDown(page, '/api/topics');
    await press(page, 'New topic');
    const dialog = page.getByRole('dialog', { name: 'New topic' });
    await dialog.getByLabel('Name').fill('Events');
    await press(page, 'Create topic');
    await toast(page, { title: 'Error saving the topic', text: outage });
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Events');
    await restore(page);
    await press(page, 'Create topic');
    await dialog.waitFor({ state: 'detached' });
  });
});
