import type { Profile, ProfileChanges } from '#contract/profile.ts';
import { deleteOwnPicture, saveOwnPicture } from '#features/pictures/pictures.service.ts';
import * as rows from '#features/profile/profile.db.ts';
import { recordOwnAct } from '#platform/audit.ts';
import type { PersonContext } from '#platform/context.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';

export async function getProfile({ db, actor }: PersonContext): Promise<Profile> {
  const found = await rows.findProfile(db, { userId: actor.userId });
  // The account was deleted after the request had been admitted.
  if (found === undefined) throw new Unauthenticated();
  const { notify_missed: missed, notify_over_plan: overPlan, ...profile } = found;
  return { ...profile, notifications: { missed, over_plan: overPlan } };
}

export async function updateProfile(ctx: PersonContext, changes: ProfileChanges): Promise<Profile> {
  const before = await assertOwnAccount(ctx);
  const name = changes.full_name?.trim();
  await change(ctx, {
    full_name: name,
    time_zone: changes.time_zone,
    notify_missed: changes.notifications?.missed,
    notify_over_plan: changes.notifications?.over_plan,
  });
  // Only a new name is recorded: others know the person by it.
  if (name !== undefined && name !== before.full_name)
    await recordOwnAct(ctx, { action: 'account.name_changed', details: { from: before.full_name, to: name } });
  return getProfile(ctx);
}

export async function setPicture(ctx: PersonContext, dataUrl: string): Promise<Profile> {
  await assertOwnAccount(ctx);
  await change(ctx, { avatar_url: await saveOwnPicture(ctx, dataUrl) });
  return getProfile(ctx);
}

export async function removePicture(ctx: PersonContext): Promise<Profile> {
  await assertOwnAccount(ctx);
  await deleteOwnPicture(ctx);
  await change(ctx, { avatar_url: null });
  return getProfile(ctx);
}

/** The caller's profile. Throws Forbidden for the account of a demo. */
export async function assertOwnAccount(ctx: PersonContext): Promise<Profile> {
  const profile = await getProfile(ctx);
  if (profile.is_demo) throw new Forbidden('A demo account cannot be changed or deleted. Sign up for your own.');
  return profile;
}

const change = (
  { db, actor, now }: PersonContext,
  changes: Omit<Parameters<typeof rows.updateProfileRow>[1]['changes'], 'updated_at'>,
) => rows.updateProfileRow(db, { userId: actor.userId, changes: { ...changes, updated_at: now.toString() } });
