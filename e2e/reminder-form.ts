import type { Page } from 'playwright-core';

export type WrittenReminder = {
  title: string;
  /** On the clocks of the browser; the form's own proposal when left out. */
  due?: Temporal.ZonedDateTime;
  /** Added one by one, pressing Enter after each. */
  recipients: readonly string[];
  channels?: readonly string[];
  subject: string;
  /** What comes before the recipient's name, which is put in by its button. */
  greeting: string;
};

/** Writes a reminder through all four tabs of the form, as a person does, and saves it. */
export async function writeReminder(page: Page, reminder: WrittenReminder): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reminders' }).click();
  await page.getByRole('link', { name: 'Create Reminder' }).first().click();
  await page.getByLabel('Title').fill(reminder.title);
  if (reminder.due !== undefined) await chooseOnce(page, reminder.due);

  await page.getByRole('tab', { name: 'Channels' }).click();
  for (const channel of reminder.channels ?? []) {
    await page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: channel }).click();
  }
  for (const recipient of reminder.recipients) {
    await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill(recipient);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${recipient}`, exact: true }).waitFor();
  }

  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByLabel('Subject').fill(reminder.subject);
  await page.getByLabel('Message').fill(reminder.greeting);
  await page.getByRole('button', { name: 'recipient_name', exact: true }).first().click();
  await page.getByRole('button', { name: 'Create Reminder' }).click();
}

async function chooseOnce(page: Page, due: Temporal.ZonedDateTime): Promise<void> {
  await page.getByRole('tab', { name: 'Schedule' }).click();
  await page.getByRole('combobox', { name: 'Schedule type' }).click();
  await page.getByRole('option', { name: 'Once' }).click();
  await page.getByRole('button', { name: 'Start date' }).click();
  // The calendar opens at tomorrow, which may be next month's.
  const proposed = Temporal.Now.plainDateISO(due.timeZoneId).add({ days: 1 });
  if (proposed.month !== due.month) await page.getByRole('button', { name: 'Previous month' }).click();
  const day = `${due.day} ${due.toLocaleString('en-US', { month: 'long' })} ${due.year}`;
  await page.getByRole('button', { name: day, exact: true }).click();
  await page.getByLabel('Hours').fill(String(due.hour).padStart(2, '0'));
  await page.getByLabel('Minutes').fill(String(due.minute).padStart(2, '0'));
  await page.getByRole('button', { name: 'Done' }).click();
}
