import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '#contract/simulated-failures.ts';
import { smtpError } from './smtp-error.ts';

/**
 * Stores a mail, or simulates a failure: HTTP's 429 and 503 correspond to SMTP's 450 and 421 (RFC 5321, section 4.2;
 * RFC 3463). SMTP has no Retry-After.
 */
export async function simulateMailFailure(
  failure: Failure | null,
  mail: { keep: () => Promise<void>; disconnect: () => void; closing: AbortSignal },
): Promise<void> {
  switch (failure?.kind) {
    case undefined:
      return mail.keep();
    case 'rate_limited':
      throw smtpError(450, '4.7.1 Too many messages, slow down');
    case 'unavailable':
      throw smtpError(421, '4.3.2 Service not available, closing transmission channel');
    case 'slow':
      await mail.keep();
      return wait(failure.seconds * 1000, undefined, { signal: mail.closing }).catch(() => undefined);
    case 'reset':
      await mail.keep();
      mail.disconnect();
      return;
    case 'hang':
      return untilAborted(mail.closing);
    default:
      return failure satisfies never;
  }
}

/** Resolves when the sandbox stops. The mail is then deferred, since it was not accepted. */
function untilAborted(closing: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const stop = () => reject(smtpError(421, '4.3.2 The sandbox is closing'));
    if (closing.aborted) stop();
    else closing.addEventListener('abort', stop, { once: true });
  });
}
