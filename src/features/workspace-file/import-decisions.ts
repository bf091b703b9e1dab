import { type FileSection, fileSections, type WorkspaceFile } from '#contract/workspace-files.ts';
import type * as made from '#features/workspace-file/import.db.ts';
import { decideContacts, decideGroups, decideSuppressions } from '#features/workspace-file/decide-contacts.ts';
import { decideReminders } from '#features/workspace-file/decide-reminders.ts';
import { decideCategories, decideTemplates } from '#features/workspace-file/decide-templates.ts';
import { decideTopics } from '#features/workspace-file/decide-topics.ts';
import type { Decided } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';
import { decideChannels } from '#features/workspace-file/decide-channels.ts';

export type Decisions = {
  channels: Decided<object>[];
  topics: Decided<made.TopicMade>[];
  template_categories: Decided<made.CategoryMade>[];
  templates: Decided<made.TemplateMade>[];
  contact_groups: Decided<made.GroupMade>[];
  contacts: Decided<made.ContactMade>[];
  suppressions: Decided<made.SuppressionMade>[];
  reminders: Decided<made.ReminderMade>[];
};

/**
 * Decides what an import creates. An item exists already if one was imported under this reference, or the file was made from it; a category, group,
 * contact or suppression also by its name or address. Existing items stay as they are. References lead only to items of this file.
 */
export async function decideImport(ctx: TenantContext, file: WorkspaceFile): Promise<Decisions> {
  const { decided: channels, pins } = await decideChannels(ctx, file.channels);
  const template_categories = await decideCategories(ctx, file.template_categories);
  const decidedTopics = await decideTopics(ctx, file.topics);
  const topics = idsOf(decidedTopics);
  const templates = await decideTemplates(ctx, file.templates, { categories: idsOf(template_categories), topics });
  const contact_groups = await decideGroups(ctx, file.contact_groups);
  const contacts = await decideContacts(ctx, file.contacts);
  const suppressions = await decideSuppressions(ctx, file.suppressions, { topics });
  const reminders = await decideReminders(ctx, file.reminders, {
    templates: idsOf(templates),
    groups: idsOf(contact_groups),
    contacts: idsOf(contacts),
    topics,
    pins,
  });
  return {
    channels,
    topics: decidedTopics,
    template_categories,
    templates,
    contact_groups,
    contacts,
    suppressions,
    reminders,
  };
}

/** The ids that the references of a section stand for. */
const idsOf = (section: readonly Decided<object>[]): ReadonlyMap<string, string> =>
  new Map(section.flatMap(({ ref, id }): [string, string][] => (ref === null || id === null ? [] : [[ref, id]])));

export const itemsOf = (decisions: Decisions): Decided<object>[] =>
  fileSections.flatMap((section: FileSection): Decided<object>[] => decisions[section]);
