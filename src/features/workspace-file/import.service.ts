import { randomUUIDv7 } from 'node:crypto';
import {
  type FileCounts,
  type FileImport,
  type FileImportProgress,
  fileSections,
  type WorkspaceFile,
  workspaceFileLimits,
} from '#contract/workspace-files.ts';
import { WorkspaceSettings } from '#contract/workspaces.ts';
import { type Choice, recordChoices, type Said } from '#features/consents/choices.service.ts';
import * as rows from '#features/workspace-file/import.db.ts';
import { itemsOf, type Decisions, decideImport } from '#features/workspace-file/import-decisions.ts';
import * as progress from '#features/workspace-file/progress.db.ts';
import type { Decided } from '#features/workspace-file/read-items.ts';
import { changeSettings, settingsThatDiffer } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Forbidden, Invalid } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { serveOthers } from '#platform/in-slices.ts';
import { reportTo } from '#platform/report-to.ts';
import { z } from 'zod';

type Asked = { file: WorkspaceFile; mode: 'preview' | 'import'; settings: 'true' | 'false' };

/**
 * Creates what a file has and the workspace does not. A preview writes nothing. An import writes everything in one transaction of its own, reports
 * its progress meanwhile, and continues when the caller leaves. Importing the same file again creates nothing twice.
 */
export async function importWorkspace(
  ctx: TenantContext,
  { file, mode, settings: takesSettings }: Asked,
): Promise<FileImport | AfterCommit<FileImport>> {
  const settings = settingsOf(file);
  const hasChanged = mode === 'import' && takesSettings === 'true';
  if (hasChanged && ctx.actor.kind !== 'user')
    throw new Forbidden('An API key does not change settings: leave settings out, or sign in');
  const differ = await settingsThatDiffer(ctx, settings);
  const answerOf = (decisions: Decisions): FileImport => ({
    mode,
    ...answerItems(decisions),
    settings: differ,
    has_changed_settings: hasChanged && differ.length > 0,
  });
  if (mode === 'preview') {
    const decisions = await decideImport(ctx, file);
    await serveOthers();
    return answerOf(decisions);
  }
  const { workspaceId } = ctx;
  const began = performance.now();
  const one = () => ({
    workspaceId,
    id,
    now: ctx.now.add({ milliseconds: Math.floor(performance.now() - began) }).toString(),
  });
  const id = randomUUIDv7();
  const items = fileSections.reduce((sum, section) => sum + file[section].length, 0);
  await progress.beginImport(ctx.db, { ...one(), items });
  return new AfterCommit(async (again) => {
    const report = reportTo((done) => again((db) => progress.reportProgress(db, { ...one(), done })));
    try {
      return await again(async (db) => {
        const within = { ...ctx, db };
        await rows.lockWorkspace(db, within);
        const decisions = await decideImport(within, file);
        const answer = answerOf(decisions);
        await writeDecisions(within, { decisions, report });
        if (answer.has_changed_settings) await changeSettings(within, settings);
        await recordAct(within, { action: 'workspace.imported', target: workspaceId, details: sumOf(answer.counts) });
        await announce(within, [
          'templates',
          'template_categories',
          'contact_groups',
          'contacts',
          'suppressions',
          'reminders',
        ]);
        await progress.endImport(db, { ...one(), status: 'completed' });
        return answer;
      });
    } catch (error) {
      await again((db) => progress.endImport(db, { ...one(), status: 'failed' }));
      throw error;
    }
  });
}

const Identity = z.looseObject({ settings: WorkspaceSettings.partial().default({}) });

/** The settings of the file. Throws Invalid for unknown ones. */
function settingsOf({ workspace }: WorkspaceFile): Partial<WorkspaceSettings> {
  if (workspace === undefined) return {};
  const { data, error } = Identity.safeParse(workspace);
  if (error !== undefined) throw new Invalid(fieldErrors(error, ['workspace']));
  return data.settings;
}

const writtenAtOnce = 500;

async function writeDecisions(
  { db, workspaceId, actor, now }: TenantContext,
  { decisions, report }: { decisions: Decisions; report: (done: number) => void },
): Promise<void> {
  const by = { workspaceId, createdBy: personOf(actor), now: now.toString() };
  let done = itemsOf(decisions).filter(({ row }) => row === null).length;
  report(done);
  const write = async <Row>(
    section: readonly Decided<Row>[],
    insert: (db: Db, by: Written, batch: readonly Row[]) => Promise<unknown>,
  ) => {
    const made = section.flatMap(({ row }) => row ?? []);
    for (let at = 0; at < made.length; at += writtenAtOnce) {
      const batch = made.slice(at, at + writtenAtOnce);
      await insert(db, by, batch);
      done += batch.length;
      report(done);
    }
  };
  await write(decisions.topics, rows.insertTopics);
  await write(decisions.template_categories, rows.insertCategories);
  await write(decisions.templates, rows.insertTemplates);
  await write(decisions.contact_groups, rows.insertGroups);
  await write(decisions.contacts, rows.insertContacts);
  await write(decisions.suppressions, (on, { createdBy }, batch) =>
    recordChoices(
      { db: on, workspaceId, actor, now: by.now },
      batch.map((row) => choiceOf(row, { createdBy, now: by.now })),
    ),
  );
  await write(decisions.reminders, rows.insertReminders);
}

type Written = { workspaceId: string; createdBy: string | null; now: string };

/** Only entries that a person added get an author: what recipients caused, they can undo themselves. */
function choiceOf(
  { channel, recipient, covers, topic_id: topicId, reason, ends_at: endsAt, created_at: since }: rows.SuppressionMade,
  { createdBy, now }: Pick<Written, 'createdBy' | 'now'>,
): Choice {
  const at = Date.parse(since) < Date.parse(now) ? since : now;
  const said: Said = { kind: 'withdrawn', method: 'import', precedence: 1, at, isOnce: true };
  return {
    channel,
    recipient,
    covers,
    topicId,
    entry: { reason, createdBy: reason === 'manual' ? createdBy : null, at, endsAt },
    said: reason === 'bounced' || reason === 'paused' ? null : said,
  };
}

function answerItems(decisions: Decisions): Pick<FileImport, 'counts' | 'items' | 'is_complete'> {
  const all = itemsOf(decisions);
  const countIn = (section: (typeof fileSections)[number]): FileCounts => {
    const counts = { created: 0, existing: 0, refused: 0 };
    for (const { result } of decisions[section]) counts[result] += 1;
    return counts;
  };
  const inOrder = [
    ...all.filter(({ problems }) => problems.length > 0),
    ...all.filter(({ problems }) => problems.length === 0),
  ];
  return {
    counts: {
      channels: countIn('channels'),
      topics: countIn('topics'),
      template_categories: countIn('template_categories'),
      templates: countIn('templates'),
      contact_groups: countIn('contact_groups'),
      contacts: countIn('contacts'),
      suppressions: countIn('suppressions'),
      reminders: countIn('reminders'),
    },
    items: inOrder.slice(0, workspaceFileLimits.shown).map(({ section, name, result, problems }) => ({
      section,
      name,
      result,
      problems: problems.slice(0, workspaceFileLimits.problems),
    })),
    is_complete: all.length <= workspaceFileLimits.shown,
  };
}

const sumOf = (counts: FileImport['counts']): FileCounts =>
  Object.values(counts).reduce((sum, { created, existing, refused }) => ({
    created: sum.created + created,
    existing: sum.existing + existing,
    refused: sum.refused + refused,
  }));

/** After this long without a report of progress, the process of an import has died, and nothing was written. */
const silence = Temporal.Duration.from({ minutes: 2 });

/** How far the latest import is; null before the first. */
export async function getProgress({ db, workspaceId, now }: TenantContext): Promise<FileImportProgress | null> {
  const found = await progress.findImport(db, { workspaceId });
  if (found === null) return null;
  const { reported_at: reportedAt, status, ...shown } = found;
  const isSilent = Temporal.Instant.compare(Temporal.Instant.from(reportedAt), now.subtract(silence)) < 0;
  return { ...shown, status: status === 'running' && isSilent ? 'failed' : status };
}
