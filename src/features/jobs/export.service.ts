import type { DeliveryEvent, DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import { nameForMany } from '#domain/job-name.ts';
import { listDeliveries } from '#features/jobs/deliveries.service.ts';
import { getJob } from '#features/jobs/jobs.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse, linesOfPages } from '#platform/csv-stream.ts';
import { AfterCommit } from '#platform/handler.ts';

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
  'Details',
  'Reason code',
  'Provider',
  'Provider answer',
  'Provider id',
  'Through',
  'By preference',
] as const;

/**
 * The deliveries of a job as CSV, with a line for each event in each. Every page is read in its own transaction while the file is sent, so that a
 * slow client blocks nobody.
 */
export async function exportDeliveries(ctx: TenantContext, id: string): Promise<AfterCommit<Response>> {
  const job = await getJob(ctx, id);
  await recordAct(ctx, { action: 'export.deliveries', target: id, details: { name: nameForMany(job.name) } });
  return new AfterCommit(async (again) => {
    const read = (cursor?: string) =>
      again((db) => listDeliveries({ ...ctx, db }, { id: job.id, limit: rowsAtOnce, cursor }));
    const pages = linesOfPages(read, (delivery) => linesOf(job, delivery));
    return csvResponse({ name: `job-${id}.csv`, head: columns, pages });
  });
}

/** A delivery without events has a line too. */
function linesOf(job: Job, delivery: DeliveryWithTimeline): string[][] {
  const { channel, recipient, recipient_name, status, provider_id } = delivery;
  const chosen = [delivery.through ?? '', delivery.by_preference ? 'yes' : ''];
  const head = [job.name, job.id, job.scheduled_for, channel, recipient, recipient_name ?? '', status];
  const events = delivery.timeline.map((event) => [...head, ...cellsOf(event), provider_id ?? '', ...chosen]);
  const said = [delivery.reason ?? '', delivery.reason_code ?? ''];
  return events.length > 0 ? events : [[...head, '', '', '', '', '', ...said, '', '', '', ...chosen]];
}

function cellsOf(event: DeliveryEvent): string[] {
  switch (event.kind) {
    case 'attempt': {
      const { number, began_at, answered_at, status, reason, reason_code, provider, provider_answer } = event;
      const answered = [answered_at, status, reason, reason_code, provider, provider_answer].map((cell) => cell ?? '');
      return ['attempt', String(number), began_at, ...answered];
    }
    case 'put_off':
      return ['postponed', '', '', '', '', event.reason ?? '', event.reason_code ?? '', '', ''];
    case 'report':
    case 'ended':
      return [event.kind, '', event.at, '', event.status, event.words ?? '', event.reason_code ?? '', '', ''];
    case 'retried':
      return ['retried manually', '', event.at, '', '', '', '', '', ''];
    default:
      return event satisfies never;
  }
}
