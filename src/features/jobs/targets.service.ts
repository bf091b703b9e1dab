import type { JobTarget } from '#contract/jobs.ts';
import { fallbackChainsOf } from '#domain/fallback-chains.ts';
import { recipientKey, targetsOf } from '#domain/recipients.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { type Addressed, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';

const shown = 200;

/** The recipients of a job from the current contacts and channels; empty when its reminder no longer exists. */
export async function listTargets(ctx: TenantContext, id: string): Promise<{ data: JobTarget[]; total: number }> {
  const found = await textsOf(ctx, await getJobWithRevision(ctx, id));
  const targets = 'reason' in found ? [] : await targetsNow(ctx, found.addressed);
  return { data: targets.slice(0, shown), total: targets.length };
}

/** Every recipient on every channel; in a fallback chain, each recipient's channels are in the order of the chain. */
export async function targetsNow(
  ctx: TenantContext,
  { recipients, channels, isInOrder }: Addressed,
): Promise<JobTarget[]> {
  const targets = targetsOf(recipients, channels, await internationalOf(ctx, channels));
  if (!isInOrder) return targets.map((target) => ({ ...target, is_fallback: false }));
  const contacts = await contactsAmong(ctx, recipients);
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  return fallbackChainsOf(targets, { channels, contactOf }).flatMap((chain) =>
    chain.map((target, at) => ({ ...target, is_fallback: at > 0 })),
  );
}
