import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import type { FieldError } from '#contract/errors.ts';
import { get, post } from '#contract/route.ts';

/** The `format` of a file, by which it is recognised. A later Cuebird that still reads this version keeps the number. */
export const workspaceFileFormat = 'cuebird-workspace';
export const workspaceFileVersion = 1;

/** The parts of a file, in their order: each refers only to those before it. */
export const fileSections = [
  'channels',
  'topics',
  'template_categories',
  'templates',
  'contact_groups',
  'contacts',
  'suppressions',
  'reminders',
] as const;
export type FileSection = (typeof fileSections)[number];

export const workspaceFileLimits = {
  /** The largest file that is imported, in KiB. */
  kiB: 10_240,
  /** The most JSON values in it. */
  values: 600_000,
  items: {
    channels: 500,
    topics: 200,
    template_categories: 1_000,
    templates: 5_000,
    contact_groups: 100,
    contacts: 50_000,
    suppressions: 50_000,
    reminders: 10_000,
  } satisfies Record<FileSection, number>,
  /** The most items that the answer of an import lists. */
  shown: 300,
  /** The most problems that it lists of one item. */
  problems: 5,
} as const;

const items = (section: FileSection) =>
  z
    .array(z.unknown())
    .max(workspaceFileLimits.items[section], `has more than ${workspaceFileLimits.items[section].toLocaleString('en')}`)
    .default([]);

/** A file whose items are not parsed yet: each is checked by itself, so that a wrong one does not keep the others out. */
export const WorkspaceFile = z.strictObject({
  format: z.literal(workspaceFileFormat, `must be ${workspaceFileFormat}: this is not an export of a workspace`),
  version: z.literal(workspaceFileVersion, `must be ${workspaceFileVersion}: the file is of another version`),
  exported_at: z.string().max(100).optional(),
  workspace: z.unknown().optional(),
  channels: items('channels'),
  topics: items('topics'),
  template_categories: items('template_categories'),
  templates: items('templates'),
  contact_groups: items('contact_groups'),
  contacts: items('contacts'),
  suppressions: items('suppressions'),
  reminders: items('reminders'),
});
export type WorkspaceFile = z.output<typeof WorkspaceFile>;

/**
 * What an import does with an item. `created` (in a preview: would be). `existing`: the workspace has it, and it stays as it is. `refused`: it cannot
 * be created.
 */
export const fileResults = ['created', 'existing', 'refused'] as const;
export type FileResult = (typeof fileResults)[number];

const FileItem = z.object({
  section: z.enum(fileSections),
  name: z.string(),
  result: z.enum(fileResults),
  /** Why the item is refused, or what of it is left out; `path` names the field in the file. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })) satisfies z.ZodType<FieldError[]>,
});
export type FileItem = z.output<typeof FileItem>;

const Counts = z.object({ created: z.number().int(), existing: z.number().int(), refused: z.number().int() });
export type FileCounts = z.output<typeof Counts>;

export const FileImport = z.object({
  mode: z.enum(['preview', 'import']),
  counts: z.record(z.enum(fileSections), Counts),
  /** The items, those with problems first. */
  items: z.array(FileItem).max(workspaceFileLimits.shown),
  /** Whether `items` lists all of them. */
  is_complete: z.boolean(),
  /** How the settings of the file differ from those of the workspace, in words. */
  settings: z.array(z.object({ setting: z.string(), from: z.string(), to: z.string() })),
  /** Whether the workspace took these settings over. */
  has_changed_settings: z.boolean(),
});
export type FileImport = z.output<typeof FileImport>;

/** The latest import: it writes everything or, when it fails, nothing. */
export const FileImportProgress = z.object({
  began_at: InstantText,
  status: z.enum(['running', 'completed', 'failed']),
  items: z.number().int(),
  items_done: z.number().int(),
});
export type FileImportProgress = z.output<typeof FileImportProgress>;

export const workspaceFileRoutes = {
  exportWorkspace: get('/api/workspaces/:id/export', {
    access: 'admin',
    // An export contains all that lists would show: a key needs `manage`.
    scope: ['manage'],
    summary: 'The workspace as one JSON file, without secrets, which another workspace can import',
    limit: { usage: 'exports' },
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
  importWorkspace: post('/api/workspaces/:id/import', {
    access: 'admin',
    summary:
      'Import the file of a workspace; a preview writes nothing, reminders are made paused, and what is there stays',
    limit: { usage: 'imports' },
    isCostly: true,
    query: z.strictObject({
      mode: z.enum(['preview', 'import'], 'must be preview or import').default('preview'),
      /** `true` also takes over the workspace's settings; only for people, not for API keys. */
      settings: z.enum(['true', 'false'], 'must be true or false').default('false'),
    }),
    body: WorkspaceFile,
    maxBodyKiB: workspaceFileLimits.kiB,
    maxBodyValues: workspaceFileLimits.values,
    answer: FileImport,
  }),
  getWorkspaceImport: get('/api/workspaces/:id/import', {
    access: 'admin',
    summary: 'How far the latest import of a workspace file is',
    answer: z.object({ latest: FileImportProgress.nullable() }),
  }),
};
