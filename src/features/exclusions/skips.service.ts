import type { Contact } from '#contract/contacts.ts';
import { nameForMany } from '#domain/job-name.ts';
import { nameInActs } from '#domain/masked-address.ts';
import { utcText } from '#domain/utc-text.ts';
import { getContact } from '#features/contacts/contacts.service.ts';
import { getJob } from '#features/jobs/jobs.service.ts';
import * as rows from '#features/exclusions/skips.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';

type Skip = { jobId: string; contactId: string };

/**
 * Skips a run for one contact: nothing of it is sent to them, over any channel. Throws NotFound, and Conflict for a run that has begun, and for what is
 * no reminder.
 */
export async function skipRun(ctx: TenantContext, skip: Skip): Promise<void> {
  const { job, contact } = await findAhead(ctx, skip);
  const { workspaceId } = ctx;
  if (await rows.insertSkip(ctx.db, { ...skip, workspaceId, now: ctx.now.toString() }))
    await record(ctx, { action: 'contacts.skipped', job, contact });
}

/** Ends the skip of a run that has not begun, if there is one. Throws as `skipRun` does. */
export async function endSkip(ctx: TenantContext, skip: Skip): Promise<void> {
  const { job, contact } = await findAhead(ctx, skip);
  if (await rows.deleteSkip(ctx.db, { ...skip, workspaceId: ctx.workspaceId }))
    await record(ctx, { action: 'contacts.skip_ended', job, contact });
}

type JobAhead = NonNullable<Awaited<ReturnType<typeof rows.lockAhead>>>;

async function findAhead(ctx: TenantContext, { jobId, contactId }: Skip): Promise<{ job: JobAhead; contact: Contact }> {
  const { type } = await getJob(ctx, jobId);
  const contact = await getContact(ctx, contactId);
  if (type !== 'reminder' && type !== 'event_reminder')
    throw new Conflict('Only a run of a reminder can be skipped for somebody');
  const job = await rows.lockAhead(ctx.db, { workspaceId: ctx.workspaceId, jobId });
  if (job === undefined) throw new Conflict('This run has begun, or is over');
  return { job, contact };
}

async function record(
  ctx: TenantContext,
  { action, job, contact }: { action: 'contacts.skipped' | 'contacts.skip_ended'; job: JobAhead; contact: Contact },
): Promise<void> {
  const details = { name: nameInActs(contact), job: nameForMany(job.name), at: utcText(job.scheduled_for) };
  await recordAct(ctx, { action, target: contact.id, details });
  await announce(ctx, ['contacts']);
}

/** The contacts for whom a job is skipped. */
export async function skippedIn({ db, workspaceId }: TenantContext, jobId: string): Promise<ReadonlySet<string>> {
  const skips = await rows.findSkipsOfJob(db, { workspaceId, jobId });
  return new Set(skips.map(({ contact_id: id }) => id));
}

/** The jobs that lie ahead and are skipped for a contact. */
export async function skippedFor({ db, workspaceId }: TenantContext, contactId: string): Promise<ReadonlySet<string>> {
  const skips = await rows.findSkipsOfContact(db, { workspaceId, contactId });
  return new Set(skips.map(({ job_id: id }) => id));
}
