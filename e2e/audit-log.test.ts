import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, reads, restore } from './screens.fixture.ts';

const fixture = describeScreens();

const audit = (workspace: string, search = '') => `/admin/workspace/${workspace}/manage?tab=audit${search}`;

async function newTeam(): Promise<{ workspace: string; dana: TestPerson; finn: TestPerson }> {
  const [dana, finn] = await Promise.all([fixture.signUp('Dana Owens'), fixture.signUp('Finn Moss')]);
  const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
  await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
  return { workspace, dana, finn };
}

describe.concurrent('the audit log on the screen that manages a workspace', () => {
  it('shows who did what from where, and is filtered and exported', async ({ expect }) => {
    const { workspace, dana, finn } = await newTeam();
    await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'W'.repeat(100), scopes: ['send', 'read', 'manage'] },
    });
    await fetch(`${fixture.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: fixture.url },
      body: JSON.stringify({ email: finn.email, password: 'a wrong guess' }),
    });
    const page = await fixture.open(`/admin/workspace/${workspace}/manage`, { as: dana, workspace });
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await reads(page, [
      /Entries are kept for 400 days/,
      /^Created the workspace Oak Lane/,
      /^Created the API key WWW/,
      `Failed to sign in as ${finn.email}: wrong password`,
      'Somebody',
      '3 shown',
    ]);
    await expectGood(page);

    await page.getByRole('combobox', { name: 'Filter by kind' }).click();
    await page.getByRole('option', { name: 'Sign-ins' }).click();
    await reads(page, ['1 shown']);
    await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('sign_in');
    await page.getByRole('combobox', { name: 'Filter by person' }).click();
    await page.getByRole('option', { name: /^Dana Owens/ }).click();
    await reads(page, ['No entry of the audit log matches these filters.']);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Show the whole log' }).click();
    await reads(page, ['3 shown']);
    await page.getByLabel('To day').fill('2020-01-01');
    await reads(page, ['No entries found']);
    await page.getByLabel('From day').fill('2020-02-01');
    await reads(page, ['This day is before the first one', 'The last day is before the first one.']);
    await expectGood(page, [390, 1440]);
    await page.getByLabel('From day').fill('');
    await page.getByLabel('To day').fill('');
    await reads(page, ['3 shown']);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
    await page.reload();
    await reads(page, ['Exported this audit log', '4 shown']);
  });

  it('is read on page by page, while loading and after a failure', async ({ expect }) => {
    const { workspace, dana } = await newTeam();
    await fixture.owner.query(
      `insert into audit_log (workspace_id, action, created_at)
       select $1, 'reminders.paused', now() - n * interval '1 minute' from generate_series(1, 60) n`,
      [workspace],
    );
    const page = await fixture.open(audit(workspace), {
      as: dana,
      workspace,
      before: (to) => breakDown(to, '/api/audit-log'),
    });
    await page.getByRole('button', { name: /Retry|Try again/ }).waitFor();
    await reads(page, ['Error loading the audit log']);
    await expectAccessible(page);
    await restore(page);
    const release = await delayRequests(page, '/api/audit-log');
    await page.reload();
    await page.getByRole('status', { name: 'Loading the audit log' }).waitFor();
    release();
    await reads(page, ['50 shown']);
    await page.getByRole('button', { name: 'Load more' }).click();
    await reads(page, ['61 shown']);
    await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('is empty for a workspace from before it, and no member sees it', async ({ expect }) => {
    const { workspace, dana, finn } = await newTeam();
    const made = await fixture.owner.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('Old', uuidv7()::text) returning id",
    );
    const old = made.rows[0]?.id ?? '';
    await addMember(fixture.owner, { workspace: old, userId: dana.userId, role: 'owner' });
    const empty = await fixture.open(audit(old), { as: dana, workspace: old });
    await reads(empty, ['Nothing recorded yet']);
    await expectGood(empty, [390, 1440]);
    await fixture.leave(empty);

    const page = await fixture.open(audit(workspace), { as: finn, workspace });
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    await reads(page, ['No description']);
    await expect.poll(() => page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0);
  });
});
