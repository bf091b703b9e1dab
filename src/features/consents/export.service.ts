import type { z } from 'zod';
import type { Consent, consentRoutes } from '#contract/consents.ts';
import { listConsents } from '#features/consents/consents.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { type CsvColumns, csvOfPages, csvResponse } from '#platform/csv-stream.ts';
import { fileResponse } from '#platform/file-stream.ts';
import { AfterCommit } from '#platform/handler.ts';

const rowsAtOnce = 200;

type Filter = Omit<z.output<typeof consentRoutes.exportConsents.query>, 'workspace'>;

/** The record of consents as a file, for an audit. Each page is read while the file is sent. */
export async function exportConsents(
  ctx: TenantContext,
  { format, ...filter }: Filter,
): Promise<AfterCommit<Response>> {
  await recordAct(ctx, { action: 'export.consents', target: ctx.workspaceId });
  const name = `consents-${ctx.now.toString().slice(0, 10)}.${format}`;
  return new AfterCommit(async (again) => {
    const read = (cursor: string | undefined) =>
      again((db) => listConsents({ ...ctx, db }, { ...filter, limit: rowsAtOnce, cursor }));
    return format === 'csv'
      ? csvResponse({ name, ...csvOfPages(columns, read) })
      : fileResponse({ name, mediaType: 'application/json', parts: jsonOfPages(read) });
  });
}

const columns: CsvColumns<Consent> = {
  Channel: (row) => row.channel,
  Recipient: (row) => row.recipient,
  Kind: (row) => row.kind,
  Covers: (row) => row.topic_name ?? row.covers,
  Text: (row) => row.text,
  Method: (row) => row.method,
  'Said at': (row) => row.said_at,
  'Written down at': (row) => row.created_at,
  'Written down by': (row) => row.by.name ?? row.by.kind,
  From: (row) => row.source.client_address ?? row.client_address,
  Source: (row) => (Object.keys(row.source).length === 0 ? null : JSON.stringify(row.source)),
  Id: (row) => row.id,
};

/** An array with a row a line. */
async function* jsonOfPages(
  read: (cursor: string | undefined) => Promise<{ data: readonly Consent[]; next_cursor: string | null }>,
): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await read(cursor);
    for (const row of page.data) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
      isFirst = false;
    }
    cursor = page.next_cursor;
  }
  yield '\n]\n';
}
