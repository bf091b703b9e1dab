import { Button } from '@mantine/core';
import type { ApiKey } from '#contract/api-keys.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from './api-keys.module.css';
import { type KeyState, keyState, scopeWords } from './key-words.ts';

type ApiKeyRowProps = { apiKey: ApiKey; onRotate: () => void; onRevoke: () => void };

export function ApiKeyRow({ apiKey, onRotate, onRevoke }: ApiKeyRowProps) {
  const { name, prefix, scopes, excludes_admin: excludesAdmin } = apiKey;
  const state = keyState(apiKey, useNow(60_000).getTime());
  const hasEnded = state === 'expired' || state === 'revoked';
  return (
    <li className={classes.row} data-ended={hasEnded || undefined}>
      <span className={classes.what}>
        <span className={classes.head}>
          <span className={classes.name}>{name}</span>
          <code className={classes.prefix}>{prefix}…</code>
          <StateBadge state={state} />
        </span>
        <span className={classes.note}>
          May {scopes.map((scope) => scopeWords[scope].name.toLowerCase()).join(', ')}
          {excludesAdmin && ', but for what only admins do'}. <Uses apiKey={apiKey} />
        </span>
        <span className={classes.note}>
          Created <InstantText at={apiKey.created_at} show="day" />. <End apiKey={apiKey} state={state} />
        </span>
      </span>
      {!hasEnded && (
        <span className={classes.buttons}>
          <Button size="compact-sm" variant="default" aria-label={`Rotate ${name}`} onClick={onRotate}>
            Rotate
          </Button>
          <Button size="compact-sm" variant="default" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        </span>
      )}
    </li>
  );
}

function StateBadge({ state }: { state: KeyState }) {
  switch (state) {
    case 'works':
      return null;
    case 'ends soon':
      return <ToneBadge word="Ends soon" tone="waiting" />;
    case 'expired':
      return <ToneBadge word="Expired" tone="quiet" />;
    case 'revoked':
      return <ToneBadge word="Revoked" tone="quiet" />;
    default:
      return state satisfies never;
  }
}

const Uses = ({ apiKey: { last_used_at: at } }: { apiKey: ApiKey }) =>
  at === null ? (
    'Never used.'
  ) : (
    <>
      Last used <RelativeTime at={at} />.
    </>
  );

function End({ apiKey: { revoked_at: revoked, expires_at: end }, state }: { apiKey: ApiKey; state: KeyState }) {
  if (revoked !== null)
    return (
      <>
        Revoked <InstantText at={revoked} show="day" />.
      </>
    );
  if (end === null) return 'Never expires.';
  return (
    <>
      {state === 'expired' ? 'Expired' : 'Expires'}{' '}
      <InstantText at={end} show={state === 'ends soon' ? 'moment' : 'day'} />.
    </>
  );
}
