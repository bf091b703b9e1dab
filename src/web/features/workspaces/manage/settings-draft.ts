import { z } from 'zod';
import { type Workspace, workspaceRoutes, WorkspaceSettings } from '#contract/workspaces.ts';
import type { ConsentChannel } from '#contract/consent-channels.ts';
import { listed } from '#domain/in-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';

/** What was changed on the Settings tab and is not saved. */
export type SettingsDraft = { name?: string; description?: string; settings?: Partial<WorkspaceSettings> };

/** The labels of the fields, by the path of their value. */
export const settingLabels = {
  name: 'Name',
  description: 'Description',
  'settings.companyName': 'Company name',
  'settings.mailColor': 'Colour of mails',
  'settings.postalLine': 'Postal line of mails',
  'settings.allowPublicTemplates': 'Allow Public Templates',
  'settings.autoArchiveJobs': 'Auto Archive Jobs',
  'settings.frequencyCap': 'Frequency cap',
  'settings.retentionDays': 'Delete jobs after days',
  'settings.misfire': 'Missed occurrences',
  'settings.consentFor': 'Require consent',
  'settings.unknownOutcomes': 'When it is unknown whether an SMS or chat message was sent',
} as const;
export type SettingPath = keyof typeof settingLabels;

const defaults = {
  companyName: '',
  mailColor: '',
  postalLine: '',
  allowPublicTemplates: false,
  autoArchiveJobs: false,
  retentionDays: null,
  misfire: 'latest',
  unknownOutcomes: 'prefer_duplicate',
  consentFor: [],
} satisfies Partial<WorkspaceSettings>;

/** What is done with a message of which it is not known whether it was sent. */
export const outcomeWords = {
  prefer_duplicate: 'Send it once more',
  prefer_miss: 'Do not send it again',
} as const satisfies Record<WorkspaceSettings['unknownOutcomes'], string>;

/** The channels for which a consent is required, as they are read. */
export const consentText = (channels: readonly ConsentChannel[]): string =>
  channels.length === 0 ? 'Off' : listed(channels.map((channel) => channelLooks[channel].name));

/** The settings that the tab shows, each with a value. */
export type StoredSettings = Required<Pick<WorkspaceSettings, keyof typeof defaults>> & Partial<WorkspaceSettings>;

const keys = WorkspaceSettings.keyof().options;

/** The stored settings, with the defaults of those that are not stored; an invalid one counts as not stored. */
export function storedSettings({ settings }: Workspace): StoredSettings {
  const readable = keys.filter((key) => WorkspaceSettings.shape[key].safeParse(settings[key]).success);
  const stored = WorkspaceSettings.partial().parse(Object.fromEntries(readable.map((key) => [key, settings[key]])));
  return { ...defaults, ...stored };
}

/** The draft without fields that equal the stored ones. */
export function changedOnly({ name, description, settings = {} }: SettingsDraft, workspace: Workspace): SettingsDraft {
  const stored = storedSettings(workspace);
  const changed = { ...settings };
  for (const key of keys) if (JSON.stringify(changed[key]) === JSON.stringify(stored[key])) delete changed[key];
  return {
    ...(name !== undefined && name !== workspace.name && { name }),
    ...(description !== undefined && description !== workspace.description && { description }),
    ...(Object.keys(changed).length > 0 && { settings: changed }),
  };
}

/** The labels of the unsaved fields. */
export const namesOf = ({ settings = {}, ...fields }: SettingsDraft): string[] => {
  const paths = [...Object.keys(fields), ...Object.keys(settings).map((key) => `settings.${key}`)];
  return Object.entries(settingLabels).flatMap(([path, label]) => (paths.includes(path) ? [label] : []));
};

/** The draft as a request, or its errors by path. */
export function parseDraft(
  draft: SettingsDraft,
): { body: z.output<typeof workspaceRoutes.updateWorkspace.body> } | { problems: Record<string, string> } {
  const parsed = workspaceRoutes.updateWorkspace.body.safeParse(draft);
  if (parsed.success) return { body: parsed.data };
  return { problems: fieldErrors(parsed.error.issues) };
}
