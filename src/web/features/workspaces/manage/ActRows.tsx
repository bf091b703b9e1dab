import { Skeleton } from '@mantine/core';
import type { Act } from '#contract/audit-log.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './audit.module.css';

/** On a phone the time and the address stand below what was done. */
export const ActRows = ({ acts, isStale }: { acts: readonly Act[]; isStale: boolean }) => (
  <table className={classes.table} data-stale={isStale || undefined}>
    <thead>
      <tr>
        <th className={classes.when}>When</th>
        <th className={classes.actor}>Who</th>
        <th>What</th>
        <th className={classes.address}>From</th>
      </tr>
    </thead>
    <tbody>
      {acts.map((act) => (
        <tr key={act.id}>
          <td className={classes.when}>
            <InstantText at={act.created_at} show="second" />
          </td>
          <td className={classes.actor}>
            <Who actor={act.actor} />
          </td>
          <td>
            <span>{act.text}</span>
            <span className={classes.phone}>
              <Who actor={act.actor} />
              <span>
                <InstantText at={act.created_at} show="second" />
                {act.client_address !== null && `, from ${act.client_address}`}
              </span>
            </span>
          </td>
          <td className={classes.address}>
            {act.client_address ?? <span className={prose.small}>Cuebird itself</span>}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** As they were at the time. */
function Who({ actor }: { actor: Act['actor'] }) {
  const [name, note] = wordsOf(actor);
  return (
    <span className={classes.person}>
      <span>{name}</span>
      {note !== null && <span className={prose.small}>{note}</span>}
    </span>
  );
}

function wordsOf({ kind, name, email }: Act['actor']): [name: string, note: string | null] {
  switch (kind) {
    case 'person':
      return [name || 'Unknown', email];
    case 'api_key':
      return [name || 'Unknown', 'API key'];
    case 'stranger':
      return ['Somebody', 'not signed in'];
    case 'administrator':
      return ['Administrator', 'of the installation'];
    case 'system':
      return ['Cuebird', null];
  }
}

export const ActRowsSkeleton = () => (
  <div role="status" aria-label="Loading the audit log" className={classes.skeleton}>
    {[60, 45, 70, 50, 65].map((width) => (
      <Skeleton key={width} height={14} width={`${width}%`} />
    ))}
  </div>
);
