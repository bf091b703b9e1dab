import type { Locator, Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { describeScreens, reads, toast } from './screens.fixture.ts';

/**
 * The tasks of three kinds of customers, from the dashboard on, with every press of the mouse and of Enter counted. A field
 * that has the focus already is typed into at once; any other costs a click.
 */
const fixture = describeScreens();

const newWorkspace = (name: string) => fixture.ann.createWorkspace(`${name} ${crypto.randomUUID().slice(0, 8)}`);

/** Opens the dashboard and counts from there. */
async function sitDown(workspace: string) {
  const page = await fixture.open('/dashboard', { as: fixture.ann, workspace });
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  return {
    page,
    click,
    /** Clicks the field first, unless what was done before has led to it. */
    async type(field: Locator, text: string, { isLedTo = false } = {}) {
      if (isLedTo) await field.and(page.locator(':focus')).waitFor();
      else await click(field);
      await page.keyboard.insertText(text);
    },
    clicks: () => clicks,
  };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

/** As an accountant's program writes it: German columns, blank lines, a phone that is none, one tenant on two lines. */
function tenantsFile(): Buffer {
  const lines = Array.from({ length: 192 }, (_, at) => {
    const number = at + 1;
    const phone = number === 7 ? 'siehe Akte' : `0151 ${String(23_450_000 + number)}`;
    return `${number};Mieter ${number};Muster;mieter${number}@example.com;${phone};${number % 3 === 0 ? '7 Oak' : '12 Elm'};${900 + number},00 €`;
  });
  const twice = '193; Mieter 1 ;Muster; MIETER1@example.com ;;12 Elm;901,00 €';
  const head = 'Lfd. Nr.; Vorname ;NACHNAME;E-Mail-Adresse;Tel. mobil;Objekt;Kaltmiete';
  return Buffer.from(`\uFEFF${head}\r\n\r\n${[...lines, twice].join('\r\n')}\r\n;;;;;;\r\n`);
}

async function insertRun(
  workspace: string,
  { reminder, at, sent, failed }: { reminder: string; at: string; sent: number; failed: number },
): Promise<void> {
  await fixture.owner.query(
    `with run as (
       insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, started_at, completed_at, payload)
       select $1, id, name, 'reminder', case when $5::int = 0 then 'completed' else 'failed' end, $3, $3, $3, $3,
              jsonb_build_object('channels', '["email"]'::jsonb, 'content', content, 'recipients', content -> 'recipients')
         from reminders where id = $2
       returning id
     )
     insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, reason_code, provider, first_attempt_at,
       last_attempt_at, completed_at)
     select $1, run.id, $3, 'email', 'mieter' || n || '@example.com', case when n <= $4::int then 'accepted' else 'failed' end, 1,
            case when n > $4::int then 'HTTP 503' end, case when n > $4::int then 'provider_error' end, 'smtp', $3, $3, $3
       from run, generate_series(1, $4::int + $5::int) n`,
    [workspace, reminder, at, sent, failed],
  );
}

const monthlyRent = {
  ...sampleReminder,
  name: 'Rent',
  status: 'active',
  schedule_config: {
    type: 'scheduled',
    scheduleType: 'monthly',
    startDate: '2098-01-01T09:00:00',
    timezone: 'Europe/Berlin',
  },
  content: { subject: 'Rent is due', message: 'Please pay.', recipients: ['mieter1@example.com'] },
};

describe.concurrent('somebody who manages property', () => {
  it('imports 192 tenants from a messy file and reminds each of their own rent, in 15 clicks at most', async ({
    expect,
  }) => {
    const workspace = await newWorkspace('Elm');
    const { page, click, type, clicks } = await sitDown(workspace);
    await click(link(page, 'Contacts'));
    await click(button(page, 'Import a file'));
    const chooser = page.waitForEvent('filechooser');
    await click(button(page, 'Choose a file'));
    await (await chooser).setFiles({ name: 'Mieterliste.csv', mimeType: 'text/csv', buffer: tenantsFile() });
    await click(button(page, 'Preview'));
    await click(button(page, 'Import 192 contacts'));
    await click(button(page, 'Done'));
    await click(link(page, 'Reminders'));
    await click(page.getByRole('link', { name: 'Create Reminder' }).first());
    await type(page.getByLabel('Describe it in one line'), 'Email everyone every 1st at 9am that rent is due');
    await reads(page, [/^Every month on the 1st at 09:00/]);
    await click(button(page, 'Fill in'));
    await click(page.getByRole('tab', { name: 'Content' }));
    await page.getByLabel('Message').fill('');
    await type(page.getByLabel('Message'), 'Dear {{recipient_name}}, your rent of {{Kaltmiete}} is due.', {
      isLedTo: true,
    });
    await page.getByRole('group', { name: 'Who it reaches' }).getByText('192 get it').waitFor();
    await click(button(page, 'Create Reminder'));
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    expect(clicks()).toBeLessThanOrEqual(15);

    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/reminders' });
    expect(data).toMatchObject([{ status: 'active', schedule_config: { scheduleType: 'monthly' } }]);
    const reach = await fixture.call(workspace, { method: 'GET', path: `/api/reminders/${data[0].id}/reach` });
    expect(reach).toMatchObject({ total: 192, counts: [{ kind: 'reached', people: 192 }] });
    expect(reach.counts).toHaveLength(1);
  });

  it('finds what a tenant got in two clicks', async ({ expect }) => {
    const workspace = await newWorkspace('Elm');
    await fixture.call(workspace, {
      path: '/api/contacts',
      body: { name: 'Anna Smith', email: 'mieter1@example.com' },
    });
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body: monthlyRent });
    await insertRun(workspace, { reminder: id, at: '2026-10-01T07:00:00Z', sent: 3, failed: 0 });
    const { page, click, clicks } = await sitDown(workspace);
    await click(link(page, 'Contacts'));
    await click(page.getByRole('link', { name: 'Anna Smith', exact: true }));
    const got = page.getByRole('list', { name: 'What they got' });
    await got.getByText('Rent', { exact: true }).waitFor();
    await got.getByText('Accepted', { exact: true }).waitFor();
    expect(clicks()).toBeLessThanOrEqual(2);
  });

  it('finds whether the rent reminder of last month went out in two clicks', async ({ expect }) => {
    const workspace = await newWorkspace('Elm');
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body: monthlyRent });
    await insertRun(workspace, { reminder: id, at: '2026-10-01T07:00:00Z', sent: 190, failed: 2 });
    await insertRun(workspace, { reminder: id, at: '2026-11-01T08:00:00Z', sent: 192, failed: 0 });
    const { page, click, clicks } = await sitDown(workspace);
    await click(link(page, 'Reminders'));
    await click(page.getByRole('link', { name: 'Rent', exact: true }));
    await reads(page, ['192 of 192 people', '190 of 192 people · 2 failed']);
    expect(clicks()).toBeLessThanOrEqual(2);
  });
});

describe.concurrent('somebody who runs operations', () => {
  it('finds a failure and retries it in three clicks', async ({ expect }) => {
    const workspace = await newWorkspace('Operations');
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body: monthlyRent });
    const yesterday = Temporal.Now.instant().subtract({ hours: 24 }).toString();
    await insertRun(workspace, { reminder: id, at: yesterday, sent: 8, failed: 4 });
    const { page, click, clicks } = await sitDown(workspace);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await click(attention.getByRole('link', { name: 'Rent' }));
    const dialog = page.getByRole('dialog', { name: 'Job details' });
    await dialog.getByText('Sent to 8 of 12 people').waitFor();
    await click(dialog.getByRole('button', { name: 'Retry 4 failed' }));
    await toast(page, { title: 'Job updated', text: 'Rent will be tried again.' });
    expect(clicks()).toBeLessThanOrEqual(3);
  });

  it('pauses everything for a week in three clicks', async ({ expect }) => {
    const workspace = await newWorkspace('Operations');
    await fixture.call(workspace, { path: '/api/reminders', body: monthlyRent });
    const { page, click, type, clicks } = await sitDown(workspace);
    await click(button(page, 'Search, or jump to anything'));
    await type(page.getByPlaceholder('Search, or jump to anything'), 'pause', { isLedTo: true });
    await click(page.getByRole('dialog').getByRole('button', { name: 'Pause all reminders…' }));
    await click(page.getByRole('dialog', { name: 'Pause all reminders' }).getByRole('button', { name: /^For a week/ }));
    await page.getByRole('region', { name: 'Pause of all reminders' }).waitFor();
    expect(clicks()).toBeLessThanOrEqual(3);
  });
});

describe.concurrent('somebody in customer success', () => {
  it('tests an event reminder with an event of their own in ten clicks at most', async ({ expect }) => {
    const workspace = await newWorkspace('Success');
    await fixture.call(workspace, {
      path: '/api/reminders',
      body: {
        name: 'Trial ends',
        status: 'active',
        schedule_config: {
          type: 'event-based',
          eventTrigger: 'trial_ending',
          delayAmount: 3,
          delayUnit: 'days',
          timezone: 'UTC',
        },
        content: { subject: 'Your {{plan}} trial', message: 'It ends on {{trial_ends}}.', recipients: [] },
        metadata: { channels: ['email'], event_recipients: true },
      },
    });
    const { page, click, clicks } = await sitDown(workspace);
    await click(link(page, 'Reminders'));
    await click(button(page, 'More actions for Trial ends'));
    await click(page.getByRole('menuitem', { name: 'Send a test event…' }));
    const dialog = page.getByRole('dialog', { name: 'Send a test event' });
    const plan = dialog.getByRole('textbox', { name: 'plan', exact: true });
    await click(plan);
    await plan.fill('Team');
    await click(dialog.getByRole('button', { name: 'Send test event' }));
    await dialog.getByText('Completed').first().waitFor();
    await click(dialog.getByRole('link', { name: 'Open the job' }));
    await page.waitForURL(/\/jobs\?job=/);
    expect(clicks()).toBeLessThanOrEqual(10);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/inbox' });
    expect(data).toMatchObject([{ subject: expect.stringContaining('Your Team trial') }]);
  });
});
