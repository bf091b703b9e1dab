import type { Pool } from 'pg';
import { type EncryptionKeys, keyFingerprint } from '#platform/encryption-keys.ts';
import { isReplaced, keyChannel, readKeyRecord } from '#platform/key-record.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import type { SecretBox } from '#platform/secrets.ts';

const lookEveryMs = 15_000;

/**
 * Detects that another process has a newer encryption key: this one cannot open what is sealed with it. `superseded` aborts,
 * with the reason as a sentence, and stays aborted. Keys that were revoked are forgotten by `secrets` at once.
 */
export async function watchKeys({
  pool,
  pubsub,
  log,
  keys,
  secrets,
}: {
  pool: Pick<Pool, 'query'>;
  pubsub: Pick<PubSub, 'subscribe'>;
  log: Log;
  keys: EncryptionKeys;
  secrets: Pick<SecretBox, 'forget'>;
}): Promise<{ superseded: AbortSignal; stop(): void }> {
  const superseded = new AbortController();
  const own = keyFingerprint(keys.newest);
  const older = keys.older.map(keyFingerprint);
  const forgotten = new Set<string>();

  async function look(): Promise<void> {
    try {
      const record = await readKeyRecord(pool);
      if (record === null) return;
      const revoked = older.filter((one) => record.revoked.includes(one) && !forgotten.has(one));
      if (revoked.length > 0) {
        secrets.forget(revoked);
        for (const one of revoked) forgotten.add(one);
        log.warn({ keys: revoked }, 'older encryption keys are revoked: remove them from the settings of this process');
      }
      if (!isReplaced(record, own) || superseded.signal.aborted) return;
      const reason = `The encryption key was replaced (its fingerprint is ${record.newest} now): restart this process with the newer key. It sends nothing any more`;
      log.warn({ key: own, newest: record.newest }, reason);
      superseded.abort(reason);
    } catch (error) {
      log.warn({ error: String(error) }, 'checking the encryption keys failed');
    }
  }

  const unsubscribe = pubsub.subscribe(keyChannel, () => void look());
  // Also looks at intervals, because a NOTIFY can be lost.
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  await look();

  return {
    superseded: superseded.signal,
    stop() {
      unsubscribe();
      clearInterval(timer);
    },
  };
}
