import { z } from 'zod';
import { Id, InstantText, RequiredName, Text } from '#contract/common.ts';
import type { NoticeKind } from '#contract/notices.ts';
import { PictureInput, pictureBodyKiB } from '#contract/pictures.ts';
import { del, get, patch, post, put } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** Which mails the person gets as an owner of a workspace. */
const Notifications = z.strictObject({
  /** About reminders that were not sent at their time. */
  missed: z.boolean(),
  /** About reminders that the plan of the workspace does not include. */
  over_plan: z.boolean(),
} satisfies Record<NoticeKind, z.ZodBoolean>);

export const Profile = z.object({
  id: Id,
  email: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  /** The timezone of new reminders; null for the browser's. */
  time_zone: z.string().nullable(),
  notifications: Notifications,
  /** Whether it is the profile of a demo, which cannot be changed. */
  is_demo: z.boolean(),
  created_at: InstantText,
});
export type Profile = z.output<typeof Profile>;

/** A field that is left out stays as it is. */
export const ProfileChanges = z.strictObject({
  full_name: RequiredName(200, { missing: 'Enter your name' }).optional(),
  time_zone: TimeZone.nullable().optional(),
  notifications: Notifications.partial().optional(),
});
export type ProfileChanges = z.output<typeof ProfileChanges>;

/** The workspaces that the account's deletion would leave without an owner, except those that are being deleted already. */
export const AccountDeletion = z.object({
  blocking: z.array(z.object({ id: Id, name: z.string(), other_members: z.number().int() })),
});
export type AccountDeletion = z.output<typeof AccountDeletion>;

export const profileRoutes = {
  getProfile: get('/api/profile', {
    access: 'user',
    summary: 'The signed-in person, with what they have set for themselves',
    answer: Profile,
  }),
  updateProfile: patch('/api/profile', {
    access: 'user',
    summary: 'Change your name, your zone, or which mails you get',
    body: ProfileChanges,
    limit: { usage: 'profiles' },
    answer: Profile,
  }),
  setOwnPicture: put('/api/profile/picture', {
    access: 'user',
    summary: 'Give yourself a picture, which the members of your workspaces see',
    body: PictureInput,
    maxBodyKiB: pictureBodyKiB,
    limit: { usage: 'pictures' },
    answer: Profile,
  }),
  removeOwnPicture: del('/api/profile/picture', {
    access: 'user',
    summary: 'Remove your picture',
    answer: Profile,
  }),
  downloadOwnData: get('/api/profile/data', {
    access: 'user',
    summary: 'What Cuebird stores about you, as one JSON file',
    limit: { usage: 'downloads' },
    isCostly: true,
    answer: 'file',
  }),
  getAccountDeletion: get('/api/profile/deletion', {
    access: 'user',
    summary: 'The workspaces that you have to transfer or delete before you can delete your account',
    answer: AccountDeletion,
  }),
  deleteAccount: post('/api/profile/delete', {
    access: 'user',
    summary: 'Delete your account for good; type its email address to confirm',
    body: z.strictObject({ email: Text(320) }),
    needsReauthentication: true,
    answer: z.object({ deleted: z.literal(true) }),
  }),
};
