import { randomUUIDv7 } from 'node:crypto';
import {
  type ColumnChoice,
  type Contact,
  type ContactInput,
  contactLimits,
  type ImportAnswer,
  type ImportCounts,
  type ImportRow,
} from '#contract/contacts.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { insertChanges, undoChanges } from '#features/contacts/import-undo.db.ts';
import { readCsv } from '#features/contacts/csv.ts';
import * as rows from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import { assertFindable, columnsOf, looksLikeData } from '#features/contacts/import-columns.ts';
import { type Plan, planEntries } from '#features/contacts/import-plan.ts';
import { type Entry, entryOf } from '#features/contacts/import-rows.ts';
import { announce } from '#platform/changes.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import { mapInSlices } from '#platform/in-slices.ts';

/** Reads contacts from a file. A preview returns the result of an import and writes nothing. */
export async function importContacts(
  ctx: TenantContext,
  {
    csv,
    mode,
    columns: chosen,
    default_country: country,
  }: { csv: string; mode: 'preview' | 'import'; columns?: readonly ColumnChoice[]; default_country?: string | null },
): Promise<ImportAnswer> {
  const { delimiter, rows: lines } = readCsv(csv);
  const [header, ...body] = lines;
  if (header === undefined || body.length === 0)
    throw new Invalid([
      { path: 'csv', message: 'The file needs a line with the names of its columns, and others below it' },
    ]);
  if (body.length > contactLimits.importRows)
    throw new Invalid([{ path: 'csv', message: `The file has more than ${contactLimits.importRows} lines` }]);
  const columns = columnsOf(header.cells, { rows: body.map(({ cells }) => cells), chosen });
  if (mode === 'import' || looksLikeData(header.cells)) assertFindable(columns);
  const dialling = await diallingOf(ctx, { country });
  const entries = await mapInSlices(body, (row) => entryOf(row, { columns, dialling }));
  const plan = await planFor(ctx, { entries, isWritten: mode === 'import' });
  const importId = mode === 'import' ? await rememberChanges(ctx, plan) : null;
  return { delimiter, columns, counts: countsOf(plan.rows), rows: plan.rows, import_id: importId };
}

/** Stores what the import changed, so that it can be undone. Returns the name of the import; null when it changed nothing. */
async function rememberChanges(ctx: TenantContext, { created, updated, known }: PlannedWrites): Promise<string | null> {
  if (created.length + updated.length === 0) return null;
  const importId = randomUUIDv7();
  const before = new Map(known.map((contact) => [contact.id, contact]));
  const changes = [...created, ...updated].map(({ id }) => ({ contactId: id, before: before.get(id) ?? null }));
  await insertChanges(ctx.db, { workspaceId: ctx.workspaceId, importId, now: ctx.now.toString(), changes });
  const details = { created: created.length, updated: updated.length };
  await recordAct(ctx, { action: 'contacts.imported', target: importId, details });
  return importId;
}

/** How long an import can be undone. */
const undoable = Temporal.Duration.from({ hours: 24 });

/** Throws NotFound for an import that is unknown, was undone, or is older than a day. */
export async function undoImport(
  ctx: TenantContext,
  importId: string,
): Promise<{ deleted: number; restored: number; kept: number }> {
  const { db, workspaceId, now } = ctx;
  await rows.lockContacts(db, ctx);
  const since = now.subtract(undoable).toString();
  const { changes, deleted, restored } = await undoChanges(db, { workspaceId, importId, since, now: now.toString() });
  if (changes === 0) throw new NotFound('import that can be undone');
  await announce(ctx, ['contacts']);
  await recordAct(ctx, { action: 'contacts.import_undone', target: importId, details: { deleted, restored } });
  return { deleted, restored, kept: changes - deleted - restored };
}

/** Adds contacts, or updates those with the same address or number. */
export async function saveContacts(
  ctx: TenantContext,
  inputs: readonly ContactInput[],
): Promise<Pick<ImportAnswer, 'counts' | 'rows'>> {
  const hasNumber = inputs.some(({ phone }) => phone !== null);
  const dialling = hasNumber ? await diallingOf(ctx, { country: inputs[0]?.default_country }) : {};
  const entries = inputs.map(({ default_country: _, ...input }, index): Entry => {
    const phone = input.phone === null ? null : e164(input.phone, dialling);
    const isWrong = input.phone !== null && phone === null;
    const problems = isWrong ? [{ column: 'phone', message: notANumber(input.phone ?? '') }] : [];
    return {
      line: index + 1,
      fields: { ...input, email: input.email?.toLowerCase() ?? null, phone },
      problems,
      left: [],
    };
  });
  const plan = await planFor(ctx, { entries, isWritten: true });
  return { counts: countsOf(plan.rows), rows: plan.rows };
}

type PlannedWrites = Plan & { known: readonly Contact[] };

async function planFor(
  ctx: TenantContext,
  { entries, isWritten }: { entries: readonly Entry[]; isWritten: boolean },
): Promise<PlannedWrites> {
  const { db, workspaceId } = ctx;
  if (isWritten) await rows.lockContacts(db, ctx);
  const known = await rows.findByAddresses(db, {
    workspaceId,
    emailKeys: entries.flatMap(({ fields }) => rows.contactEmailKey(fields) ?? []),
    phones: entries.flatMap(({ fields }) => fields.phone ?? []),
  });
  const plan = { ...(await planEntries(entries, known)), known };
  if (!isWritten || plan.created.length + plan.updated.length === 0) return plan;
  const now = ctx.now.toString();
  await rows.updateContacts(db, { workspaceId, now, rows: plan.updated });
  await rows.insertContacts(db, { workspaceId, createdBy: personOf(ctx.actor), now, rows: plan.created });
  await announce(ctx, ['contacts']);
  return plan;
}

function countsOf(lines: readonly ImportRow[]): ImportCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, joined: 0, failed: 0, incomplete: 0 };
  for (const { result, problems } of lines) {
    counts[result] += 1;
    if (result !== 'failed' && problems.length > (result === 'joined' ? 1 : 0)) counts.incomplete += 1;
  }
  return counts;
}
