import type { signingSecretRoutes } from '#contract/signing-secret.ts';
import { revealSigningSecret, rotateSigningSecret } from '#features/signing-secret/signing-secret.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const signingSecretHandlers = ({ secrets }: { secrets: SecretBox }): HandlersOf<typeof signingSecretRoutes> => ({
  revealSigningSecret: ({ ctx }) => revealSigningSecret(ctx, secrets),
  rotateSigningSecret: ({ ctx }) => rotateSigningSecret(ctx, secrets),
});
