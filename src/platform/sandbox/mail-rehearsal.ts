import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '#contract/rehearsals.ts';
import { smtpError } from './smtp-error.ts';

/**
 * Keeps a mail, or fails as it was asked to: what HTTP says by 429 and 503, SMTP says by 450 and 421 (RFC 5321, section 4.2;
 * RFC 3463). It has no word for when to come again.
 */
export async function rehearseMail(
  failure: Failure | null,
  mail: { keep: () => Promise<void>; breakOff: () => void; closing: AbortSignal },
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
      mail.breakOff();
      return;
    case 'hang':
      return untilAborted(mail.closing);
    default:
      return failure satisfies never;
  }
}

/** Then it is put off: a server that closes has taken nothing. */
function untilAborted(closing: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const stop = () => reject(smtpError(421, '4.3.2 The sandbox is closing'));
    if (closing.aborted) stop();
    else closing.addEventListener('abort', stop, { once: true });
  });
}
