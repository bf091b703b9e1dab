import type { Contact } from '#contract/contacts.ts';
import { contactFieldTitles } from '#domain/contact-fields.ts';
import * as rows from '#features/contacts/contacts.db.ts';
import { listContacts } from '#features/contacts/contacts.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse, linesOfPages } from '#platform/csv-stream.ts';
import { Unprocessable } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';

const rowsAtOnce = 200;
const maxVariables = 1_000;

const { tags: titleOfTags, paused_until: titleOfPause, ...heads } = contactFieldTitles;
const fields = Object.keys(heads).filter((field): field is keyof typeof heads => field in heads);

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
  const hasPauses = await rows.hasPaused(ctx.db, { workspaceId });
  const day = ctx.now.toString().slice(0, 10);
  const lineOf = ({ tags, variables: own, ...contact }: Contact) => [
    ...fields.map((field) => contact[field] ?? ''),
    ...(hasPauses ? [contact.paused_until ?? ''] : []),
    ...(hasTags ? [tagsInWords(tags)] : []),
    ...variables.map((variable) => (Object.hasOwn(own, variable) ? (own[variable] ?? '') : '')),
  ];
  return new AfterCommit(async (again) =>
    csvResponse({
      name: `contacts-${day}.csv`,
      head: [
        ...Object.values(heads),
        ...(hasPauses ? [titleOfPause] : []),
        ...(hasTags ? [titleOfTags] : []),
        ...variables,
      ],
      pages: linesOfPages(
        (cursor) => again((db) => listContacts({ ...ctx, db }, { limit: rowsAtOnce, cursor })),
        (contact) => [lineOf(contact)],
      ),
    }),
  );
}

/** Tags in one cell: separated by semicolons, which the import recognizes before commas. */
const tagsInWords = (tags: readonly string[]) =>
  tags.length === 1 && tags[0]?.includes(',') === true ? `${tags[0]};` : tags.join('; ');
