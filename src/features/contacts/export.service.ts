import * as rows from '#features/contacts/contacts.db.ts';
import { listContacts } from '#features/contacts/contacts.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse } from '#platform/csv-stream.ts';
import { Unprocessable } from '#platform/errors.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';

const rowsAtOnce = 200;
const maxVariables = 1_000;

/**
 * All contacts as CSV, in the order of the list; the import reads the format. Each page is read while the file is sent.
 */
export async function exportContacts(ctx: TenantContext): Promise<AfterCommit<Response>> {
  const { workspaceId } = ctx;
  const variables = await rows.findVariableNames(ctx.db, { workspaceId, limit: maxVariables + 1 });
  if (variables.length > maxVariables)
    throw new Unprocessable(
      `The contacts have more than ${maxVariables.toLocaleString('en')} different values, each a column of the file: read them from GET /api/contacts`,
    );
  await recordAct(ctx, { action: 'export.contacts', target: workspaceId });
  const hasTags = (await rows.findTags(ctx.db, { workspaceId, limit: 1 })).length > 0;
  const day = ctx.now.toString().slice(0, 10);
  return new AfterCommit(async (again) =>
    csvResponse({
      name: `contacts-${day}.csv`,
      head: ['Name', 'E-mail', 'Phone', 'Time zone', ...(hasTags ? ['Tags'] : []), ...variables],
      pages: pagesOf(ctx, { variables, hasTags, again }),
    }),
  );
}

async function* pagesOf(
  ctx: TenantContext,
  { variables, hasTags, again }: { variables: readonly string[]; hasTags: boolean; again: InTransaction },
) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const from: string | undefined = cursor;
    const page = await again((db) => listContacts({ ...ctx, db }, { limit: rowsAtOnce, cursor: from }));
    yield page.data.map(({ name, email, phone, timezone, tags, variables: own }) => [
      ...[name, email, phone, timezone].map((value) => value ?? ''),
      ...(hasTags ? [tagsInWords(tags)] : []),
      ...variables.map((variable) => own[variable] ?? ''),
    ]);
    cursor = page.next_cursor;
  }
}

/** Tags in one cell: separated by semicolons, which the import recognizes before commas. */
const tagsInWords = (tags: readonly string[]) =>
  tags.length === 1 && tags[0]?.includes(',') === true ? `${tags[0]};` : tags.join('; ');
