import type { JobTarget } from '#contract/jobs.ts';
import { fallbackChainsOf } from '#domain/fallback-chains.ts';
import { targetsOfPeople } from '#domain/audience-targets.ts';
import { recipientKey, type Target, targetsOf } from '#domain/recipients.ts';
import { peopleOf } from '#features/contact-groups/audience.service.ts';
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
  { recipients, audience, channels, isInOrder }: Addressed,
): Promise<JobTarget[]> {
  const listed = targetsOf(recipients, channels, await internationalOf(ctx, channels));
  const people = audience === null ? [] : await peopleOf(ctx, audience);
  const targets = [...listed, ...targetsOfPeople(people, { channels, listed })];
  if (!isInOrder) return targets.map((target) => shownTarget(target, { isFallback: false }));
  const addresses = people.flatMap(({ email, phone }) => [email, phone].filter((address) => address !== null));
  const contacts = await contactsAmong(ctx, [...recipients, ...addresses]);
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  return fallbackChainsOf(targets, { channels, contactOf }).flatMap((chain) =>
    chain.map((target, at) => shownTarget(target, { isFallback: at > 0 })),
  );
}

const shownTarget = (
  { channel, recipient, recipient_name, problem, through }: Target,
  { isFallback }: { isFallback: boolean },
): JobTarget => ({ channel, recipient, recipient_name, through: through ?? null, problem, is_fallback: isFallback });
