import type {
  Channels,
  ContactGroups,
  Contacts,
  Reminders,
  Suppressions,
  TemplateCategories,
  Templates,
  TemplateVersions,
  Topics,
  Workspaces,
} from '#platform/schema.ts';

// For each column of what people write: the type as which the workspace file has it and an import reads it, or why the file leaves it out. What is
// exported is also what is stored, copied and compared. A new column does not compile without an entry.

export type Columns = Record<
  string,
  'text' | 'text[]' | 'integer' | 'uuid' | 'timestamptz' | 'date' | 'json' | 'jsonb' | LeftOut
>;
type LeftOut = { leftOut: string };
type Of<Table> = Record<keyof Table, Columns[string]>;

const reference: LeftOut = { leftOut: 'the file has references of its own' };
const target: LeftOut = { leftOut: 'an import writes into the workspace that it is called for' };
const ofImport: LeftOut = { leftOut: 'it says who made this row and when: that is the import' };
const computed: LeftOut = { leftOut: 'it is computed from the other columns' };
const deleted: LeftOut = { leftOut: 'a deleted reminder is not exported' };
const ofChannel: LeftOut = { leftOut: 'the file has no credentials: a channel of this type and name is used' };
const ofWorkspace: LeftOut = { leftOut: 'an import takes over the settings alone' };

export const reminderColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  description: 'text',
  status: 'text',
  paused_until: { leftOut: 'what is imported is paused until a person resumes it' },
  deleted_at: deleted,
  deleted_from: deleted,
  deleted_jobs: deleted,
  sort_key: computed,
  status_rank: computed,
  schedule_config: 'json',
  content: 'json',
  metadata: 'json',
  revision: { leftOut: 'it counts the edits of this row' },
  created_by: ofImport,
  created_at: ofImport,
  updated_at: ofImport,
} as const satisfies Of<Reminders>;

export const categoryColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  description: 'text',
  color: 'text',
  created_at: ofImport,
  updated_at: ofImport,
} as const satisfies Of<TemplateCategories>;

export const templateColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  description: 'text',
  category_id: 'uuid',
  is_public: { leftOut: 'an import shows nothing to other workspaces' },
  content: 'json',
  variables: 'json',
  usage_count: { leftOut: 'it counts the reminders that were begun from this row' },
  version: { leftOut: 'it is the highest number of its versions' },
  created_by: ofImport,
  created_at: ofImport,
  updated_at: ofImport,
} as const satisfies Of<Templates>;

export const versionColumns = {
  id: reference,
  workspace_id: target,
  template_id: { leftOut: 'a version stands within its template' },
  version: 'integer',
  name: 'text',
  description: 'text',
  content: 'json',
  variables: 'json',
  restored_from: 'integer',
  created_by: ofImport,
  created_at: 'timestamptz',
} as const satisfies Of<TemplateVersions>;

export const groupColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  rule: 'jsonb',
  created_by: ofImport,
  created_at: ofImport,
  updated_at: ofImport,
  sort_key: computed,
} as const satisfies Of<ContactGroups>;

export const contactColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  first_name: 'text',
  last_name: 'text',
  last_name_key: computed,
  salutation: 'text',
  language: 'text',
  preferred_channel: 'text',
  paused_until: 'date',
  note: 'text',
  email: 'text',
  email_key: computed,
  phone: 'text',
  timezone: 'text',
  variables: 'jsonb',
  tags: 'text[]',
  tag_keys: computed,
  value_keys: computed,
  created_by: ofImport,
  created_at: ofImport,
  updated_at: ofImport,
  sort_key: computed,
  search_text: computed,
} as const satisfies Of<Contacts>;

export const topicColumns = {
  id: reference,
  external_id: reference,
  workspace_id: target,
  name: 'text',
  kind: 'text',
  why: 'text',
  is_default: { leftOut: 'the workspace of the import keeps its own' },
  archived_at: 'timestamptz',
  created_at: ofImport,
  updated_at: ofImport,
} as const satisfies Of<Topics>;

export const suppressionColumns = {
  id: reference,
  workspace_id: target,
  channel: 'text',
  recipient: 'text',
  reason: 'text',
  covers: 'text',
  topic_id: 'uuid',
  ends_at: 'timestamptz',
  created_by: ofImport,
  created_at: 'timestamptz',
} as const satisfies Of<Suppressions>;

export const channelColumns = {
  id: reference,
  workspace_id: target,
  name: 'text',
  type: 'text',
  is_active: ofChannel,
  is_verified: ofChannel,
  configuration: ofChannel,
  sealed_secrets: ofChannel,
  rate_limit_per_second: ofChannel,
  created_by: ofChannel,
  created_at: ofChannel,
  updated_at: ofChannel,
} as const satisfies Of<Channels>;

const ofInstallation: LeftOut = { leftOut: 'the installation decides it' };

/** The file also contains the name and the description, for people who read it. */
export const workspaceColumns = {
  id: target,
  name: ofWorkspace,
  slug: ofWorkspace,
  description: ofWorkspace,
  company_name: computed,
  avatar_url: { leftOut: 'the file has no pictures' },
  settings: 'jsonb',
  subscription_status: ofInstallation,
  subscription_tier: ofInstallation,
  subscription_end_date: ofInstallation,
  plan_ends_at: ofInstallation,
  plan_order_until: ofInstallation,
  trial_ends_at: ofInstallation,
  reminders_paused_until: { leftOut: 'it is about the reminders that are there' },
  delete_after: ofInstallation,
  demo_until: ofInstallation,
  demo_messages: ofInstallation,
  demo_hour: ofInstallation,
  demo_hour_messages: ofInstallation,
  demo_spent_at: ofInstallation,
  suspended_at: ofInstallation,
  created_at: ofImport,
  updated_at: ofImport,
} as const satisfies Of<Workspaces>;

export type ExportedColumn<Table extends Columns> = {
  [Name in keyof Table & string]: Table[Name] extends LeftOut ? never : Name;
}[keyof Table & string];

export function exportedColumns<Table extends Columns>(table: Table): ExportedColumn<Table>[] {
  const isExported = (name: string): name is ExportedColumn<Table> => typeof table[name] === 'string';
  return Object.keys(table).filter(isExported);
}
