import type { DeliveryEvent, DeliveryWithTimeline, Job } from '#contract/jobs.ts';
import { getJob, listDeliveries } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { writeCsv } from '#platform/csv.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';

const rowsAtOnce = 200;

const columns = [
  'Job',
  'Job id',
  'Scheduled for (UTC)',
  'Channel',
  'Recipient',
  'Name',
  'Result',
  'Event',
  'Attempt',
  'At (UTC)',
  'Answered at (UTC)',
  'Status',
  'Words',
  'Provider',
  'Provider answer',
  'Provider id',
] as const;

/**
 * The ledger of a job as CSV, one line for each event of each recipient. It is read a page at a time while it is being sent,
 * each page in a transaction of its own: how long a list is costs no memory, and nobody waits for a slow reader.
 */
export async function exportDeliveries(ctx: TenantContext, id: string): Promise<AfterCommit<Response>> {
  const job = await getJob(ctx, id);
  return new AfterCommit(
    async (again) =>
      new Response(streamOf(ctx, { job, again }), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="job-${id}.csv"`,
          'cache-control': 'no-store',
        },
      }),
  );
}

function streamOf(ctx: TenantContext, { job, again }: { job: Job; again: InTransaction }): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cursor: string | null | undefined;
  return new ReadableStream<Uint8Array>({
    // The byte order mark tells Excel that this is UTF-8.
    start: (controller) => controller.enqueue(encoder.encode(`\uFEFF${writeCsv([columns])}`)),
    async pull(controller) {
      const from = cursor ?? undefined;
      const page = await again((db) => listDeliveries({ ...ctx, db }, { id: job.id, limit: rowsAtOnce, cursor: from }));
      const lines = page.data.flatMap((delivery) => linesOf(job, delivery));
      if (lines.length > 0) controller.enqueue(encoder.encode(writeCsv(lines)));
      cursor = page.next_cursor;
      if (cursor === null) controller.close();
    },
  });
}

/** Somebody to whom nothing happened so far has a line, too. */
function linesOf(job: Job, delivery: DeliveryWithTimeline): string[][] {
  const { channel, recipient, recipient_name, status, provider_id } = delivery;
  const head = [job.name, job.id, job.scheduled_for, channel, recipient, recipient_name ?? '', status];
  const events = delivery.timeline.map((event) => [...head, ...cellsOf(event), provider_id ?? '']);
  return events.length > 0 ? events : [[...head, '', '', '', '', '', delivery.reason ?? '', '', '', '']];
}

function cellsOf(event: DeliveryEvent): string[] {
  switch (event.kind) {
    case 'attempt': {
      const { number, began_at, answered_at, status, reason, provider, provider_answer } = event;
      const answered = [answered_at, status, reason, provider, provider_answer].map((cell) => cell ?? '');
      return ['attempt', String(number), began_at, ...answered];
    }
    case 'put_off':
      return ['put off', '', '', '', '', event.reason ?? '', '', ''];
    case 'report':
    case 'ended':
      return [event.kind, '', event.at, '', event.status, event.words ?? '', '', ''];
    case 'retried':
      return ['retried by hand', '', event.at, '', '', '', '', ''];
    default:
      return event satisfies never;
  }
}
