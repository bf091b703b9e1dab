import type { Page } from 'playwright-core';

export const dialogOf = (page: Page) => page.getByRole('dialog').last();

/** The card of a channel. */
export const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

export const pressInCard = (page: Page, card: string, button: string) =>
  cardOf(page, card).getByRole('button', { name: button, exact: true }).click();

/** Chooses an option of a select in the dialog. */
export async function choose(page: Page, { label, option }: { label: string; option: string }): Promise<void> {
  await dialogOf(page).getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

export const openTab = (page: Page, name: 'Basic Settings' | 'Configuration') =>
  dialogOf(page).getByRole('tab', { name }).click();

/** An input of the dialog by its label, with or without the mark of what is required. */
export const field = (page: Page, label: string) =>
  dialogOf(page).getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`));

export const press = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click();

/** Opens the dialog for a new channel, names it and leads to its configuration. */
export async function beginChannel(page: Page, { name, type }: { name: string; type: string }): Promise<void> {
  await page.getByRole('button', { name: 'Add Channel' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill(name);
  if (type !== 'Email') await choose(page, { label: 'Type', option: type });
  await openTab(page, 'Configuration');
}
