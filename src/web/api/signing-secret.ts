import { useMutation } from '@tanstack/react-query';
import { signingSecretRoutes } from '#contract/signing-secret.ts';
import { call } from '#web/api/client.ts';

/** Resolves with the secret that signs the workspace's webhooks, a new one or the present one. It is not cached. */
export const useSigningSecret = (workspaceId: string) =>
  useMutation({
    gcTime: 0,
    mutationFn: (act: 'reveal' | 'rotate') =>
      call(act === 'reveal' ? signingSecretRoutes.revealSigningSecret : signingSecretRoutes.rotateSigningSecret, {
        workspaceId,
      }),
  });
