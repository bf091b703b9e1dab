import { useMutation } from '@tanstack/react-query';
import { signingSecretRoutes } from '#contract/signing-secret.ts';
import { call } from '#web/api/client.ts';

/** Resolves with the secret that signs the webhooks of a workspace, made anew or as it is. No cache keeps it. */
export const useSigningSecret = (workspaceId: string) =>
  useMutation({
    gcTime: 0,
    mutationFn: (act: 'reveal' | 'rotate') =>
      call(act === 'reveal' ? signingSecretRoutes.revealSigningSecret : signingSecretRoutes.rotateSigningSecret, {
        workspaceId,
      }),
  });
