import type { ContactImport, UndoPreview } from '#contract/contact-imports.ts';
import { findUndo } from '#features/contacts/import-undo.db.ts';
import * as rows from '#features/contacts/imports.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

const listed = 20;

/** For how long an import can be undone. */
export const undoable = Temporal.Duration.from({ hours: 24 });

/** After this long without a report of progress, the process of an import has died, and nothing was written. */
const silence = Temporal.Duration.from({ minutes: 2 });

/** The latest imports, newest first, and the country that was chosen for the last one. */
export async function listImports({
  db,
  workspaceId,
  now,
}: TenantContext): Promise<{ data: ContactImport[]; default_country: string | null }> {
  const found = await rows.findImports(db, { workspaceId, limit: listed });
  const isBefore = (at: string, age: Temporal.Duration) =>
    Temporal.Instant.compare(Temporal.Instant.from(at), now.subtract(age)) < 0;
  return {
    default_country: found[0]?.default_country ?? null,
    data: found.map(({ default_country: _, reported_at: reportedAt, status, ...row }) => ({
      ...row,
      status: status === 'running' && isBefore(reportedAt, silence) ? 'failed' : status,
      can_undo:
        row.counts !== null &&
        row.counts.created + row.counts.updated > 0 &&
        row.undone_at === null &&
        !isBefore(row.imported_at, undoable),
    })),
  };
}

/** What undoing an import would do now. Throws NotFound for one that cannot be undone. */
export async function previewUndo({ db, workspaceId, now }: TenantContext, importId: string): Promise<UndoPreview> {
  const { changes, ...found } = await findUndo(db, {
    workspaceId,
    importId,
    since: now.subtract(undoable).toString(),
  });
  if (changes === 0) throw new NotFound('import that can be undone');
  return { ...found, kept: changes - found.deleted - found.restored };
}
