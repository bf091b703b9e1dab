import { base32 } from '@better-auth/utils/base32';
import { codeAt, stepAt } from '#features/auth/totp.ts';

/** An authenticator app that has read the address in a QR code. */
export function authenticatorOf(uri: string) {
  const encoded = new URL(uri).searchParams.get('secret') ?? '';
  const secret = new TextDecoder().decode(base32.decode(encoded));
  return {
    /** The code at an instant, in the step as many steps later. */
    code: (now: Temporal.Instant = Temporal.Now.instant(), later = 0) => codeAt(secret, stepAt(now) + later),
  };
}
