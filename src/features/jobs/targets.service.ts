import type { JobTarget } from '#contract/jobs.ts';
import { fallbackChainsOf } from '#domain/fallback-chains.ts';
import { targetsOfPeople } from '#domain/audience-targets.ts';
import { onSuppressionList, recipientKey, type Target, targetsOf } from '#domain/recipients.ts';
import { peopleOf } from '#features/contact-groups/audience.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { type Addressed, textsOf } from '#features/jobs/job-text.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import { suppressedNow } from '#features/suppressions/suppressions.service.ts';
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
  { recipients, audience, channels, isInOrder }: Addressed,
): Promise<JobTarget[]> {
  const listed = targetsOf(recipients, channels, await internationalOf(ctx, channels));
  const people = audience === null ? [] : await peopleOf(ctx, audience);
  const targets = [...listed, ...targetsOfPeople(people, { channels, listed })];
  const isSuppressed = await suppressedNow(ctx, targets);
  if (!isInOrder) return targets.flatMap((target) => shownChain([target], isSuppressed));
  const addresses = people.flatMap(({ email, phone }) => [email, phone].filter((address) => address !== null));
  const contacts = await contactsAmong(ctx, [...recipients, ...addresses]);
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  return fallbackChainsOf(targets, { channels, contactOf }).flatMap((chain) => shownChain(chain, isSuppressed));
}

/** Whoever is suppressed on one channel does not get the message over the next one either. */
function shownChain(chain: readonly Target[], isSuppressed: (target: Target) => boolean): JobTarget[] {
  const stop = chain.findIndex((target) => target.problem === null && isSuppressed(target));
  return chain.map(({ channel, recipient, recipient_name, through = null, problem }, at) => ({
    channel,
    recipient,
    recipient_name,
    through,
    problem: problem ?? (stop !== -1 && at >= stop ? onSuppressionList : null),
    is_fallback: at > 0,
  }));
}
