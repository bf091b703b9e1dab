import { randomUUIDv7 } from 'node:crypto';
import type {
  ColumnChoice,
  ImportAnswer,
  ImportConsent,
  ImportCounts,
  ImportProblem,
  ImportRow,
  UndoCounts,
} from '#contract/contact-imports.ts';
import { type Contact, type ContactInput, contactLimits } from '#contract/contacts.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { completeImport, failImport, insertImport, markUndone, reportProgress } from '#features/contacts/imports.db.ts';
import { undoable } from '#features/contacts/imports.service.ts';
import { insertChanges, undoChanges } from '#features/contacts/import-undo.db.ts';
import { type CsvRow, readCsv } from '#features/contacts/csv.ts';
import * as rows from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import {
  assertFindable,
  columnsOf,
  headerAt,
  looksLikeData,
  problemColumns,
} from '#features/contacts/import-columns.ts';
import { type Decisions, decideEntries } from '#features/contacts/import-decisions.ts';
import {
  assertConsent,
  type Consenting,
  decideConsents,
  type ImportedConsents,
  recordImported,
} from '#features/contacts/import-consents.ts';
import { type Entry, entryOf } from '#features/contacts/import-rows.ts';
import { announce } from '#platform/changes.ts';
import { recordAct } from '#platform/audit.ts';
import { writeCsv } from '#platform/csv.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { finishInSlices, mapInSlices } from '#platform/in-slices.ts';
import { reportTo } from '#platform/report-to.ts';
import type { SecretBox } from '#platform/secrets.ts';

/**
 * Reads contacts from a file. A preview returns the result of an import and writes nothing. An import writes all of its contacts in one
 * transaction of its own, and reports its progress meanwhile: it goes on when the caller leaves.
 */
export async function importContacts(
  ctx: TenantContext,
  {
    csv,
    mode,
    columns: chosen,
    default_country: country,
    file_name: fileName = null,
    tags = [],
    join_lines: joinLines = [],
    consent = null,
    secrets,
  }: {
    secrets: SecretBox;
    csv: string;
    mode: 'preview' | 'import';
    columns?: readonly ColumnChoice[];
    default_country?: string | null;
    file_name?: string | null;
    tags?: readonly string[];
    join_lines?: readonly number[];
    consent?: ImportConsent | null;
  },
): Promise<ImportAnswer | AfterCommit<ImportAnswer>> {
  const { delimiter, rows: lines } = await readCsv(csv);
  const [header, ...body] = lines.slice(headerAt(lines.map(({ cells }) => cells)));
  if (header === undefined || body.length === 0)
    throw new Invalid([
      { path: 'csv', message: 'The file needs a line with the names of its columns, and others below it' },
    ]);
  if (body.length > contactLimits.importRows)
    throw new Invalid([{ path: 'csv', message: `The file has more than ${contactLimits.importRows} lines` }]);
  const inUse = new Set(await namesInUse(ctx));
  const columns = columnsOf(header.cells, { rows: body.map(({ cells }) => cells), chosen, inUse });
  if (mode === 'import' || looksLikeData(header.cells)) assertFindable(columns);
  const dialling = await diallingOf(ctx, { country });
  const entries = await mapInSlices(body, (row) => entryOf(row, { columns, dialling, tags }));
  const hasTimes = columns.some(({ field }) => field === 'consent_at');
  await assertConsent(ctx, { consent, hasTimes, isImport: mode === 'import' });
  const answerOf = async (
    { rows: decided, consents }: KnownDecisions,
    importId: string | null,
  ): Promise<ImportAnswer> => ({
    delimiter,
    columns,
    counts: countsOf(decided),
    consents: consents === null ? null : { recorded: consents.choices.length, withdrawn: consents.withdrawn },
    rows: decided,
    problem_lines: await finishInSlices(problemLines(decided, { header: header.cells, body })),
    import_id: importId,
  });
  const joined = new Set(joinLines);
  const asked = { entries, joinLines: joined, consenting: consent === null ? null : { consent, fileName, secrets } };
  if (mode === 'preview') return answerOf(await decisionsFor(ctx, asked), null);
  const { workspaceId } = ctx;
  const of = { workspaceId, id: randomUUIDv7(), now: ctx.now.toString() };
  await insertImport(ctx.db, {
    ...of,
    importedBy: personOf(ctx.actor),
    fileName,
    country: country ?? null,
    lines: entries.length,
    kept: remembered,
  });
  return new AfterCommit(async (again) => {
    const began = performance.now();
    const now = () => ctx.now.add({ milliseconds: Math.floor(performance.now() - began) }).toString();
    const report = reportTo((done) => again((db) => reportProgress(db, { ...of, now: now(), done })));
    try {
      return await again(async (db) => {
        const within = { ...ctx, db };
        await rows.lockContacts(db, within);
        const decisions = await decisionsFor(within, asked);
        const settled = entries.length - decisions.created.length - decisions.updated.length;
        report(settled);
        await writeDecisions(within, { decisions, onWritten: (written) => report(settled + written) });
        if (decisions.consents !== null) await recordImported(within, decisions.consents);
        const isChange = await rememberChanges(within, { importId: of.id, decisions });
        await completeImport(db, { ...of, counts: countsOf(decisions.rows) });
        await announce(within, ['contacts']);
        return answerOf(decisions, isChange ? of.id : null);
      });
    } catch (error) {
      await again((db) => failImport(db, of));
      throw error;
    }
  });
}

/** The lines with problems as CSV, each with the cells that it has in the file. Written in steps, between which others are served. */
function* problemLines(
  decided: readonly ImportRow[],
  { header, body }: { header: readonly string[]; body: readonly CsvRow[] },
): Generator<void, string | null> {
  const cellsOf = new Map(body.map(({ line, cells }) => [line, cells]));
  const lines: string[] = [];
  for (const { line, problems } of decided) {
    if (problems.length === 0) continue;
    yield;
    const cells = cellsOf.get(line) ?? [];
    const said = problems.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
    lines.push(writeCsv([[...header.map((_, at) => cells[at] ?? ''), String(line), said.join('; ')]]));
  }
  return lines.length === 0 ? null : writeCsv([[...header, ...problemColumns]]) + lines.join('');
}

/** How many imports of a workspace are stored. */
const remembered = 100;

/** Stores what the import changed, so that it can be undone. False when it changed nothing. */
async function rememberChanges(
  ctx: TenantContext,
  { importId, decisions: { created, updated, known } }: { importId: string; decisions: KnownDecisions },
): Promise<boolean> {
  if (created.length + updated.length === 0) return false;
  const before = new Map(known.map((contact) => [contact.id, contact]));
  const changes = [...created, ...updated].map(({ id }) => ({ contactId: id, before: before.get(id) ?? null }));
  await insertChanges(ctx.db, { workspaceId: ctx.workspaceId, importId, now: ctx.now.toString(), changes });
  const details = { created: created.length, updated: updated.length };
  await recordAct(ctx, { action: 'contacts.imported', target: importId, details });
  return true;
}

/** Undoes an import. Throws NotFound for one that is unknown, was undone, or is older than a day. */
export async function undoImport(ctx: TenantContext, importId: string): Promise<UndoCounts> {
  const { db, workspaceId, now } = ctx;
  await rows.lockContacts(db, ctx);
  const since = now.subtract(undoable).toString();
  const { changes, deleted, restored } = await undoChanges(db, { workspaceId, importId, since, now: now.toString() });
  if (changes === 0) throw new NotFound('import that can be undone');
  const undo = { deleted, restored, kept: changes - deleted - restored };
  await markUndone(db, { workspaceId, id: importId, now: now.toString(), undoneBy: personOf(ctx.actor), undo });
  await announce(ctx, ['contacts']);
  await recordAct(ctx, { action: 'contacts.import_undone', target: importId, details: { deleted, restored } });
  return undo;
}

/** Adds contacts, or updates existing ones with the same address or number. */
export async function saveContacts(
  ctx: TenantContext,
  inputs: readonly ContactInput[],
): Promise<Pick<ImportAnswer, 'counts' | 'rows'>> {
  const hasNumber = inputs.some(({ phone }) => phone !== null);
  const dialling = hasNumber ? await diallingOf(ctx, { country: inputs[0]?.default_country }) : {};
  const entries = inputs.map(({ default_country: _, ...input }, index): Entry => {
    const phone = input.phone === null ? null : e164(input.phone, dialling);
    const isWrong = input.phone !== null && phone === null;
    const problems: ImportProblem[] = isWrong
      ? [{ code: 'unusable_value', column: 'phone', message: notANumber(input.phone ?? '') }]
      : [];
    return {
      line: index + 1,
      fields: { ...input, email: input.email?.toLowerCase() ?? null, phone },
      consentAt: null,
      problems,
      left: [],
    };
  });
  await rows.lockContacts(ctx.db, ctx);
  const decisions = await decisionsFor(ctx, { entries, joinLines: new Set(), consenting: null });
  await writeDecisions(ctx, { decisions });
  if (decisions.created.length + decisions.updated.length > 0) await announce(ctx, ['contacts']);
  return { counts: countsOf(decisions.rows), rows: decisions.rows };
}

/** Decisions, with the contacts as they were before. */
type KnownDecisions = Decisions & { known: readonly Contact[]; consents: ImportedConsents | null };

type Asked = {
  entries: readonly Entry[];
  joinLines: ReadonlySet<number>;
  consenting: Consenting | null;
};

async function decisionsFor(ctx: TenantContext, { entries, joinLines, consenting }: Asked): Promise<KnownDecisions> {
  const { db, workspaceId } = ctx;
  const known = await rows.findByAddresses(db, {
    workspaceId,
    emailKeys: entries.flatMap(({ fields }) => rows.contactEmailKey(fields) ?? []),
    phones: entries.flatMap(({ fields }) => fields.phone ?? []),
  });
  const decisions = await decideEntries(entries, { known, joinLines });
  if (consenting === null) return { ...decisions, known, consents: null };
  const consents = await decideConsents(ctx, { ...consenting, entries, rows: decisions.rows });
  return { ...decisions, rows: consents.rows, known, consents };
}

const writtenAtOnce = 500;

/** Writes decisions in batches, in any order: no address moves between two contacts of a file. */
async function writeDecisions(
  { db, workspaceId, actor, now: at }: TenantContext,
  { decisions: { created, updated }, onWritten }: { decisions: Decisions; onWritten?: (written: number) => void },
): Promise<void> {
  const now = at.toString();
  let written = 0;
  for (const batch of batchesOf(updated)) {
    await rows.updateContacts(db, { workspaceId, now, rows: batch });
    written += batch.length;
    onWritten?.(written);
  }
  for (const batch of batchesOf(created)) {
    await rows.insertContacts(db, { workspaceId, createdBy: personOf(actor), now, rows: batch });
    written += batch.length;
    onWritten?.(written);
  }
}

function* batchesOf<Row>(list: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < list.length; at += writtenAtOnce) yield list.slice(at, at + writtenAtOnce);
}

/** The names of the values that contacts have, sorted; as many as could be told apart in a file. */
const namesInUse = ({ db, workspaceId }: TenantContext) =>
  rows.findVariableNames(db, { workspaceId, limit: namesCompared });

const namesCompared = 1_000;

function countsOf(lines: readonly ImportRow[]): ImportCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, joined: 0, failed: 0, incomplete: 0 };
  for (const { result, problems } of lines) {
    counts[result] += 1;
    if (result !== 'failed' && problems.length > 0) counts.incomplete += 1;
  }
  return counts;
}
