import type { profileRoutes } from '#contract/profile.ts';
import * as profile from '#features/profile/profile.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const profileHandlers: HandlersOf<typeof profileRoutes> = {
  getProfile: ({ ctx }) => profile.getProfile(ctx),
  updateProfile: ({ ctx, body }) => profile.updateProfile(ctx, body),
  setOwnPicture: ({ ctx, body }) => profile.setPicture(ctx, body.picture),
  removeOwnPicture: ({ ctx }) => profile.removePicture(ctx),
};
