import {
  type FileSection,
  fileSections,
  workspaceFileFormat,
  workspaceFileVersion,
} from '#contract/workspace-files.ts';
import { WorkspaceSettings } from '#contract/workspaces.ts';
import { isHooked } from '#features/events/hooks.service.ts';
import * as rows from '#features/workspace-file/export.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { fileResponse } from '#platform/file-stream.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import type { Listed } from '#platform/page.ts';

const rowsAtOnce = 200;

/**
 * The workspace as one JSON file. Each page is read in its own transaction while the file is sent. It has no secret: no configuration of a
 * channel, no address or secret of a hook, no key.
 */
export async function exportWorkspace(ctx: TenantContext): Promise<AfterCommit<Response>> {
  const { slug, name, description, settings } = await rows.findIdentity(ctx.db, ctx);
  await recordAct(ctx, { action: 'export.workspace', target: ctx.workspaceId });
  const head = {
    format: workspaceFileFormat,
    version: workspaceFileVersion,
    exported_at: ctx.now.toString(),
    workspace: { name, description, settings: settingsIn(settings) },
  };
  return new AfterCommit(async (again) =>
    fileResponse({
      name: `${slug}-${ctx.now.toString().slice(0, 10)}.json`,
      mediaType: 'application/json',
      parts: partsOf(head, { workspaceId: ctx.workspaceId, again }),
    }),
  );
}

/** The settings that the contract knows; other stored values are none. */
export function settingsIn(stored: Record<string, unknown>): Partial<WorkspaceSettings> {
  const known = Object.entries(WorkspaceSettings.shape).filter(
    ([key, shape]) => shape.safeParse(stored[key]).success && stored[key] !== undefined,
  );
  return WorkspaceSettings.partial().parse(Object.fromEntries(known.map(([key]) => [key, stored[key]])));
}

type Source = { workspaceId: string; again: InTransaction };

async function* partsOf(head: object, source: Source): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const section of fileSections) {
    yield `,\n  "${section}": [`;
    let separator = '\n';
    for await (const items of pagesOf[section](source)) {
      for (const item of items) {
        yield `${separator}    ${JSON.stringify(item)}`;
        separator = ',\n';
      }
    }
    yield separator === '\n' ? ']' : '\n  ]';
  }
  yield '\n}\n';
}

type Pages = AsyncGenerator<readonly object[]>;

const pagesOf: Record<FileSection, (source: Source) => Pages> = {
  async *channels({ again, workspaceId }) {
    const found = await again((db) => rows.findChannels(db, { workspaceId }));
    yield found.map(({ type, name }) => ({ type, name }));
  },
  topics: (source) => inOrder(source, rows.findTopics, async (page) => page.map(withoutId)),
  template_categories: (source) => inOrder(source, rows.findCategories, async (page) => page.map(withoutId)),
  templates: async function* templates(source) {
    for await (const page of inOrder(source, rows.findTemplates, async (found) => found))
      for (const template of page) yield [await withVersions(template, source)];
  },
  contact_groups: (source) => inOrder(source, rows.findGroups, async (page) => page.map(withoutId)),
  contacts: (source) => inOrder(source, rows.findContacts, async (page) => page.map(withoutId)),
  async *suppressions({ again, workspaceId }) {
    let after: rows.SuppressionRow | null = null;
    for (let isMore = true; isMore; ) {
      const from: rows.SuppressionRow | null = after;
      const page: Listed<rows.SuppressionRow> = await again((db) =>
        rows.findSuppressions(db, { workspaceId, after: from, limit: rowsAtOnce }),
      );
      yield page.rows.map(withoutId);
      after = page.rows.at(-1) ?? null;
      isMore = page.isMore;
    }
  },
  reminders: (source) => inOrder(source, rows.findReminders, (page) => remindersInFile(page, source)),
};

type Reader<Row> = (
  db: Parameters<typeof rows.findTemplates>[0],
  asked: { workspaceId: string; after: string; limit: number },
) => Promise<Listed<Row>>;

async function* inOrder<Row extends { id: string }, Item>(
  { again, workspaceId }: Source,
  read: Reader<Row>,
  inFile: (page: Row[]) => Promise<Item[]>,
): AsyncGenerator<Item[]> {
  let after = nilUuid;
  for (let isMore = true; isMore; ) {
    const from = after;
    const page = await again((db) => read(db, { workspaceId, after: from, limit: rowsAtOnce }));
    yield await inFile(page.rows);
    after = page.rows.at(-1)?.id ?? after;
    isMore = page.isMore;
  }
}

const withoutId = <Row extends { id: string }>({ id: _, ...item }: Row): Omit<Row, 'id'> => item;

/** Read at once: a template has at most 50 versions, and each is limited in size. */
async function withVersions(template: rows.TemplateRow, { again, workspaceId }: Source): Promise<object> {
  const versions: rows.VersionRow[] = [];
  for (let isMore = true; isMore; ) {
    const after = versions.at(-1)?.version ?? 0;
    const page = await again((db) =>
      rows.findVersions(db, { workspaceId, templateId: template.id, after, limit: rowsAtOnce }),
    );
    versions.push(...page.rows);
    isMore = page.isMore;
  }
  const contents = [template.content, ...versions.map(({ content }) => content)];
  const ids = [...new Set(contents.flatMap(({ topic_id: topic }) => topic ?? []))];
  const refs =
    ids.length === 0 ? new Map<string, string>() : await again((db) => rows.findRefs(db, { workspaceId, ids }));
  const inFile = <Row extends rows.TemplateRow | rows.VersionRow>(row: Row) => ({
    ...row,
    content: contentInFile(row.content, refs),
  });
  return { ...withoutId(inFile(template)), versions: versions.map(inFile) };
}

/** Reminders name templates, groups and contacts by their references, and preferred channels by their names. */
async function remindersInFile(page: rows.ReminderRow[], { again, workspaceId }: Source): Promise<object[]> {
  const ids = page.flatMap(({ content: { topic_id: topic }, metadata: { template_id: template, audience } }) => [
    ...(topic === undefined ? [] : [topic]),
    ...(template === undefined ? [] : [template]),
    ...(audience?.groups ?? []),
    ...(audience?.contacts ?? []),
  ]);
  const hasPins = page.some(({ metadata }) => metadata.pinned_channels !== undefined);
  const { refs, channels } = await again(async (db) => ({
    refs: ids.length === 0 ? new Map<string, string>() : await rows.findRefs(db, { workspaceId, ids }),
    channels: hasPins ? await rows.findChannels(db, { workspaceId }) : [],
  }));
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return page.map(({ is_signed: isSigned, ...reminder }) => ({
    ...withoutId(reminder),
    content: contentInFile(reminder.content, refs),
    metadata: metadataInFile(reminder.metadata, { refs, names }),
    hook: isHooked(reminder) ? { is_signed: isSigned } : null,
  }));
}

/** The content with the reference of its topic. */
function contentInFile<Content extends { topic_id?: string | undefined }>(
  { topic_id: topic, ...content }: Content,
  refs: ReadonlyMap<string, string>,
): object {
  const ref = topic === undefined ? undefined : refs.get(topic);
  return { ...content, ...(ref !== undefined && { topic_id: ref }) };
}

/** References to what was deleted since are left out. */
function metadataInFile(
  { template_id: template, pinned_channels: pins, audience, ...metadata }: rows.ReminderRow['metadata'],
  { refs, names }: { refs: ReadonlyMap<string, string>; names: ReadonlyMap<string, string> },
): object {
  const refsOf = (ids: readonly string[]) => ids.flatMap((id) => refs.get(id) ?? []);
  const templateRef = template === undefined ? undefined : refs.get(template);
  return {
    ...metadata,
    ...(templateRef !== undefined && { template_id: templateRef }),
    ...(pins !== undefined && {
      pinned_channels: Object.fromEntries(
        Object.entries(pins).flatMap(([type, id]) => {
          const name = names.get(id);
          return name === undefined ? [] : [[type, name]];
        }),
      ),
    }),
    ...(audience !== undefined && {
      audience: {
        ...audience,
        ...(audience.groups && { groups: refsOf(audience.groups) }),
        ...(audience.contacts && { contacts: refsOf(audience.contacts) }),
      },
    }),
  };
}
