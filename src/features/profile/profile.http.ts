import type { Kysely } from 'kysely';
import type { profileRoutes } from '#contract/profile.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { deleteAccount, getAccountDeletion } from '#features/profile/account-deletion.service.ts';
import { ownDataFile } from '#features/profile/own-data.service.ts';
import * as profile from '#features/profile/profile.service.ts';
import type { SupportPorts } from '#features/support/support.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';
import type { Schema } from '#platform/schema.ts';

type Ports = {
  auth: Pick<Auth, 'signInsOf' | 'mailAccountDeleted' | 'forget'>;
  db: Kysely<Schema>;
  supportDb: SupportPorts['db'];
};

export const profileHandlers = ({ auth, db, supportDb }: Ports): HandlersOf<typeof profileRoutes> => ({
  getProfile: ({ ctx }) => profile.getProfile(ctx),
  updateProfile: ({ ctx, body }) => profile.updateProfile(ctx, body),
  setOwnPicture: ({ ctx, body }) => profile.setPicture(ctx, body.picture),
  removeOwnPicture: ({ ctx }) => profile.removePicture(ctx),
  downloadOwnData: ({ ctx }) => ownDataFile(ctx, { auth, db, supportDb }),
  getAccountDeletion: ({ ctx }) => getAccountDeletion(ctx),
  deleteAccount: async ({ ctx, body, request }) => {
    const email = await deleteAccount(ctx, body);
    return new AfterCommit(async () => {
      auth.forget(request.headers);
      auth.mailAccountDeleted(email);
      return { deleted: true } as const;
    });
  },
});
