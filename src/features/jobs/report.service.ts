import {
  type Certainty,
  type DeliveryWithTimeline,
  type ReportLine,
  type ReportMessage,
  reportLinesAtOnce,
} from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import { contentHashOf } from '#delivery/content-hash.ts';
import { rankOf } from '#domain/recipient-groups.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { contactsAmong, type FoundContact } from '#features/contacts/lookup.service.ts';
import { type Person, readDeliveries } from '#features/jobs/deliveries.service.ts';
import { noLongerKept, textsOf } from '#features/jobs/job-text.ts';
import { getJob } from '#features/jobs/jobs.service.ts';
import {
  certaintyOf,
  readerOf,
  shownText,
  wasReached,
  write,
  writeName,
  type Written,
} from '#features/jobs/written-text.ts';
import { mailSenderOf } from '#features/workspaces/mail-sender.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { type CsvColumns, csvOfPages, csvResponse } from '#platform/csv-stream.ts';
import { encodeCursor } from '#platform/cursor.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import { serveOthers } from '#platform/in-slices.ts';
import { pageBytes } from '#platform/page.ts';

type Ports = { renderer: Renderer };
type Query = Person & { id: string; limit: number; cursor?: string };

/**
 * A page of the report of a job, problems first: each delivery with its message, rendered again from stored data and compared with the hash of
 * the sent one. A page ends early when its messages reach `pageBytes`. Throws NotFound.
 */
export async function readReport(ctx: TenantContext, query: Query, ports: Ports) {
  const read = await readParts(ctx, query);
  return new AfterCommit(() => writePage(read, ports));
}

/** The report of a job as CSV. Every page is read in its own transaction while the file is sent. */
export async function exportReport(
  ctx: TenantContext,
  { id, ...person }: Person & { id: string },
  ports: Ports,
): Promise<AfterCommit<Response>> {
  const { name } = await getJob(ctx, id);
  await recordAct(ctx, { action: 'export.report', target: id, details: { name } });
  return new AfterCommit(async (again) =>
    csvResponse({ name: `report-${id}.csv`, ...reportPages({ ...ctx, again }, { ...person, id }, ports) }),
  );
}

/** The title and lines of the file, page by page. */
export const reportPages = (
  { again, ...ctx }: TenantContext & { again: InTransaction },
  of: Person & { id: string },
  ports: Ports,
) =>
  csvOfPages(columns, async (cursor) => {
    const query = { ...of, limit: reportLinesAtOnce, ...(cursor !== undefined && { cursor }) };
    return writePage(await again((db) => readParts({ ...ctx, db }, query)), ports);
  });

const columns: CsvColumns<ReportLine> = {
  Name: (line) => line.recipient_name,
  Recipient: (line) => line.recipient,
  Channel: (line) => line.channel,
  Result: (line) => line.status,
  'Scheduled for (UTC)': (line) => line.scheduled_for,
  'Last attempt (UTC)': (line) => line.last_attempt_at,
  'Completed (UTC)': (line) => line.completed_at,
  Details: (line) => line.reason,
  'Reason code': (line) => line.reason_code,
  Certainty: ({ message }) => message.certainty,
  Reminder: ({ message }) => ('name' in message ? message.name : null),
  Title: ({ message }) => ('title' in message ? message.title : null),
  Text: ({ message }) => ('text' in message ? message.text : message.reason),
  'Provider id': (line) => line.provider_id,
};

type Parts = Awaited<ReturnType<typeof readParts>>;

async function readParts(ctx: TenantContext, query: Query) {
  const { job, page, hashes } = await readDeliveries(ctx, { ...query, order: 'problems_first' });
  const lines = page.data.map(({ created_at: _, ...line }) => line);
  return {
    workspaceId: ctx.workspaceId,
    job,
    lines,
    hashes,
    nextCursor: page.next_cursor,
    found: await textsOf(ctx, job),
    sender: await mailSenderOf(ctx),
    contacts: await contactsAmong(
      ctx,
      lines.map(({ recipient }) => recipient),
    ),
  };
}

async function writePage(parts: Parts, ports: Ports): Promise<{ data: ReportLine[]; next_cursor: string | null }> {
  const data: ReportLine[] = [];
  let bytes = 0;
  for (const line of parts.lines) {
    const message = await messageOf(line, parts, ports);
    await serveOthers();
    bytes += Buffer.byteLength(JSON.stringify(message));
    const last = data.at(-1);
    if (last !== undefined && bytes > pageBytes)
      return { data, next_cursor: encodeCursor({ at: String(rankOf(last.status)), id: last.id }) };
    data.push({ ...line, message });
  }
  return { data, next_cursor: parts.nextCursor };
}

async function messageOf(line: DeliveryWithTimeline, parts: Parts, { renderer }: Ports): Promise<ReportMessage> {
  const { job, found, workspaceId, contacts, sender } = parts;
  if ('reason' in found) return { certainty: 'lost', reason: found.reason };
  const { channel, recipient } = line;
  const contact: FoundContact | null = contacts.get(recipientKey(recipient)) ?? null;
  const reader = readerOf(
    { channel, recipient, name: line.recipient_name },
    { job, companyName: sender.companyName, contact },
  );
  const sentHash = parts.hashes.get(line.id) ?? null;
  let first: Written | undefined;
  // One after the other: the text of the job's own revision comes first, and nearly always is the one that was sent.
  for (const text of found.texts) {
    const written = await write(text, { reader, channel, workspaceId, renderer });
    first ??= written;
    const isMatch = 'message' in written && contentHashOf(written) === sentHash;
    if (isMatch || sentHash === null)
      return shown(written, certaintyOf({ sentHash, isMatch, isReached: wasReached(line.status) }));
  }
  if (first === undefined || !found.isOwnKept) return { certainty: 'lost', reason: noLongerKept };
  return shown(first, 'changed');

  async function shown(written: Written, certainty: Certainty): Promise<ReportMessage> {
    if ('reason' in written) return { certainty: 'lost', reason: written.reason };
    return { certainty, name: await nameOf(job), ...shownText({ channel, ...written }) };
  }

  async function nameOf({ name }: Job): Promise<string> {
    const [text] = 'texts' in found ? found.texts : [];
    return text === undefined || !name.includes('{') ? name : writeName(name, { text, reader, renderer, workspaceId });
  }
}
