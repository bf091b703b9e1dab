import { describe, expect, it } from 'vitest';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { breakDown, describeScreens, outage, reads, restore } from './screens.fixture.ts';

const message = 'Dear {{recipient_name}}, '.repeat(3_900);
const recipients = Array.from({ length: 9_000 }, (_, at) => `${'somebody'.repeat(6)}${at}@example.com`);

describe.concurrent('a list whose rows are large', () => {
  const fixture = describeScreens();

  async function make(workspace: string, path: string, body: object): Promise<string> {
    const { status, json } = await fixture.ann.call('POST', path, { workspace, body });
    expect(status).toBe(201);
    return json.id;
  }

  it('shows reminders without their messages, as many as fill the screen, and fetches one for its test', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Large');
    for (let number = 1; number <= 14; number += 1)
      await make(workspace, '/api/reminders', {
        ...sampleReminder,
        name: `Large ${number}`,
        content: { subject: 'Rent', message, recipients },
      });
    const page = await fixture.open('/reminders?view=table', { as: fixture.ann, workspace });
    const bytes: number[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname !== '/api/reminders') return;
      // The page may have been left before it has come.
      void response.body().then(
        ({ length }) => bytes.push(length),
        () => {},
      );
    });
    await page.reload();
    await page.getByRole('row', { name: /Large 1 / }).waitFor();
    await expect.poll(() => page.getByRole('cell', { name: '9,000', exact: true }).count()).toBe(14);
    await expect.poll(() => bytes.length).toBeGreaterThan(0);
    expect(Math.max(...bytes)).toBeLessThan(50_000);

    const { json } = await fixture.ann.call('GET', '/api/reminders?view=summary&limit=1', { workspace });
    const one = `/api/reminders/${json.data[0].id}`;
    await breakDown(page, one);
    await page.getByRole('button', { name: 'More actions for Large 14' }).click();
    await page.getByRole('menuitem', { name: 'Test' }).click();
    await reads(page, [outage]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(message);
  });

  it('shows templates without their texts, and fetches one to be edited or read', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Long');
    const id = await make(workspace, '/api/templates', {
      ...sampleTemplate,
      content: { ...sampleTemplate.content, body: message },
    });
    const page = await fixture.open('/templates', { as: fixture.ann, workspace });
    await breakDown(page, `/api/templates/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await reads(page, [outage]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Template' });
    await dialog.getByRole('tab', { name: 'Content' }).click();
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(message);
  });
});
