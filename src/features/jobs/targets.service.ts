import type { JobTarget } from '#contract/jobs.ts';
import { chainsOf } from '#domain/chains.ts';
import { recipientKey, targetsOf } from '#domain/recipients.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { type Addressed, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';

const shown = 200;

/** Whom a job reaches as things stand; nobody where its reminder is gone. */
export async function listTargets(ctx: TenantContext, id: string): Promise<{ data: JobTarget[]; total: number }> {
  const found = await textsOf(ctx, await getJobWithRevision(ctx, id));
  const targets = 'reason' in found ? [] : await targetsNow(ctx, found.addressed);
  return { data: targets.slice(0, shown), total: targets.length };
}

/** Every recipient on every channel; where channels are tried in order, each recipient's in that order. */
export async function targetsNow(
  ctx: TenantContext,
  { recipients, channels, isInOrder }: Addressed,
): Promise<JobTarget[]> {
  const targets = targetsOf(recipients, channels);
  if (!isInOrder) return targets.map((target) => ({ ...target, is_fallback: false }));
  const contacts = await contactsAmong(ctx, recipients);
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  return chainsOf(targets, { channels, contactOf }).flatMap((chain) =>
    chain.map((target, at) => ({ ...target, is_fallback: at > 0 })),
  );
}
