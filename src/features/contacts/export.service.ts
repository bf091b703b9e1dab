import * as rows from '#features/contacts/contacts.db.ts';
import { listContacts } from '#features/contacts/contacts.service.ts';
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
  const day = ctx.now.toString().slice(0, 10);
  return new AfterCommit(async (again) =>
    csvResponse({
      name: `contacts-${day}.csv`,
      head: ['Name', 'E-mail', 'Phone', 'Time zone', ...variables],
      pages: pagesOf(ctx, { variables, again }),
    }),
  );
}

async function* pagesOf(
  ctx: TenantContext,
  { variables, again }: { variables: readonly string[]; again: InTransaction },
) {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const from: string | undefined = cursor;
    const page = await again((db) => listContacts({ ...ctx, db }, { limit: rowsAtOnce, cursor: from }));
    yield page.data.map(({ name, email, phone, timezone, variables: own }) => [
      ...[name, email, phone, timezone].map((value) => value ?? ''),
      ...variables.map((variable) => own[variable] ?? ''),
    ]);
    cursor = page.next_cursor;
  }
}
