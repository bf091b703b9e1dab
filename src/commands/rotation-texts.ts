import type { Resealed } from '#commands/reseal.ts';
import { type EncryptionKeys, keyFileIn, keyFingerprint, type KeySource } from '#platform/encryption-keys.ts';
import { counted } from '#terminal.ts';

export const continuedText = 'A rotation has begun already, and is continued.';

export const madeText = ({ file, newest }: { file: string; newest: string }) =>
  `${file} has a new key (fingerprint ${newest}); the older ones follow it. Keep a copy of the file in another place.`;

/** The variables that a person has to set where the key is in the environment. The present key is not printed. */
export const environmentText = ({ newest, older }: EncryptionKeys, made: string) =>
  [
    ...(older.length === 0 ? [] : ['Everything is sealed with the newest key already.']),
    'The key is in ENCRYPTION_KEY, which this command cannot change. To rotate it, set for every process',
    '',
    `  ENCRYPTION_KEY=${made}`,
    `  OLDER_ENCRYPTION_KEYS=<what ENCRYPTION_KEY is now>${older.length === 0 ? '' : ',<what OLDER_ENCRYPTION_KEYS is now>'}`,
    '',
    `restart them, and run this again with the same settings. The present key has the fingerprint ${keyFingerprint(newest)}.`,
  ].join('\n');

export function resealedText({ values, unreadable }: Resealed, { newest }: { newest: string }): string {
  const lines = [`${counted(values, 'value')} sealed again. The newest key has the fingerprint ${newest}.`];
  if (unreadable.length > 0)
    lines.push(
      `No key that is set opens these rows, which stay as they are: ${unreadable.join(', ')}. Their secrets have to be entered again.`,
    );
  return lines.join('\n');
}

/** Lists what still needs the older keys, and what to do about it. */
export function keptText({
  source,
  older,
  connections,
}: {
  source: KeySource;
  older: readonly string[];
  connections: number;
}): string {
  const where = source.envKey ? 'OLDER_ENCRYPTION_KEYS' : keyFileIn(source.dataDir);
  return [
    `Nothing is sealed with an older key any more. ${where} keeps ${named(older)}, because of what was made with it:`,
    ...madeBefore.map(({ what, needed }) => `  ${what}: ${needed}`),
    '  backups from before this moment, when they are restored: keep a copy of the key as long as them',
    '',
    ...(connections === 0
      ? []
      : [
          `${counted(connections, 'connection')} of processes that have an older key only: they send nothing any more. Restart them, then run this again: it seals what they have sealed meanwhile.`,
        ]),
    restartText(source),
    'When none of it is needed any more:  npm run rotate-key -- --remove-older',
    'After a leak, at once:               npm run rotate-key -- --revoke',
  ].join('\n');
}

export function droppedText({
  source,
  older,
  isRevoked,
  refused,
}: {
  source: KeySource;
  older: readonly string[];
  isRevoked: boolean;
  refused: readonly string[];
}): string {
  return [
    `${isRevoked ? 'Revoked' : 'Removed'}: ${named(older)}. Running processes forget it now, and those that have no newer one are cut off from the database. No longer valid:`,
    ...madeBefore.map(({ what, instead }) => `  ${what}: ${instead}`),
    '  backups from before the rotation can be restored only where a copy of the key is put back',
    '',
    source.envKey ? 'Remove OLDER_ENCRYPTION_KEYS, and restart every process.' : restartText(source),
    ...(refused.length === 0
      ? []
      : [
          'The database user may not remove the logins of the older key. Ask an administrator of the server to run:',
          ...refused,
        ]),
  ].join('\n');
}

const named = (older: readonly string[]) =>
  older.map((fingerprint) => `the key with the fingerprint ${fingerprint}`).join(' and ');

const restartText = ({ envKey }: KeySource) =>
  `Restart every process.${envKey ? '' : ' Copy encryption.key to every other machine before.'}`;

/** What was made with an older key and is in the hands of others, or in browsers. */
const madeBefore = [
  {
    what: 'unsubscribe links in messages that were sent before',
    needed: 'as long as people may click them',
    instead: 'people follow the link of a newer message, or ask the sender',
  },
  {
    what: "addresses of reminders' hooks",
    needed: 'until the senders have the new ones, which each reminder shows',
    instead: 'give the senders the new ones, which each reminder shows',
  },
  {
    what: 'call-back addresses at providers (reports and replies)',
    needed: 'until the new ones, which each channel shows, are entered there',
    instead: 'enter the new ones, which each channel shows, at the providers',
  },
  {
    what: 'sessions',
    needed: 'until the person opens Cuebird once, 90 days at most',
    instead: 'everybody who has not opened Cuebird since the rotation signs in again',
  },
  {
    what: 'links that confirm an address, and codes that were mailed',
    needed: 'a day',
    instead: 'people ask for new ones',
  },
  {
    what: 'the links of the demo and of the inbox for account mail',
    needed: 'until the next start, which prints new ones',
    instead: 'the next start prints new ones',
  },
];
