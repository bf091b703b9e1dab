import { type FileSection, fileSections, type WorkspaceFile } from '#contract/workspace-files.ts';
import type * as made from '#features/workspace-file/import.db.ts';
import { planContacts, planGroups, planSuppressions } from '#features/workspace-file/plan-contacts.ts';
import { planReminders } from '#features/workspace-file/plan-reminders.ts';
import { planCategories, planTemplates } from '#features/workspace-file/plan-templates.ts';
import type { Planned } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';
import { planChannels } from '#features/workspace-file/plan-channels.ts';

export type Plan = {
  channels: Planned<object>[];
  template_categories: Planned<made.CategoryMade>[];
  templates: Planned<made.TemplateMade>[];
  contact_groups: Planned<made.GroupMade>[];
  contacts: Planned<made.ContactMade>[];
  suppressions: Planned<made.SuppressionMade>[];
  reminders: Planned<made.ReminderMade>[];
};

/**
 * Decides what an import makes. An item is there already where the workspace has one that was imported under this reference or that the file
 * was made of; a category, a group, a contact or a suppression also where there is one of this name or address. What is there stays as it is.
 * A reference leads to what this file's items become, and nowhere else.
 */
export async function planImport(ctx: TenantContext, file: WorkspaceFile): Promise<Plan> {
  const { planned: channels, pins } = await planChannels(ctx, file.channels);
  const template_categories = await planCategories(ctx, file.template_categories);
  const templates = await planTemplates(ctx, file.templates, { categories: idsOf(template_categories) });
  const contact_groups = await planGroups(ctx, file.contact_groups);
  const contacts = await planContacts(ctx, file.contacts);
  const suppressions = await planSuppressions(ctx, file.suppressions);
  const reminders = await planReminders(ctx, file.reminders, {
    templates: idsOf(templates),
    groups: idsOf(contact_groups),
    contacts: idsOf(contacts),
    pins,
  });
  return { channels, template_categories, templates, contact_groups, contacts, suppressions, reminders };
}

/** What the references of a section lead to. */
const idsOf = (section: readonly Planned<object>[]): ReadonlyMap<string, string> =>
  new Map(section.flatMap(({ ref, id }): [string, string][] => (ref === null || id === null ? [] : [[ref, id]])));

export const itemsOf = (plan: Plan): Planned<object>[] =>
  fileSections.flatMap((section: FileSection): Planned<object>[] => plan[section]);
