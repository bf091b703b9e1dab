import { Button, Skeleton } from '@mantine/core';
import type { Suppression } from '#contract/suppressions.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { reasonLooks } from './suppression-words.ts';
import classes from './suppressions.module.css';

type SuppressionRowsProps = {
  suppressions: Suppression[];
  onRemove: (suppression: Suppression) => void;
  isStale: boolean;
};

export function SuppressionRows({ suppressions, onRemove, isStale }: SuppressionRowsProps) {
  return (
    <ul className={classes.list} aria-label="Suppression list" data-stale={isStale}>
      {suppressions.map((suppression) => (
        <Row key={suppression.id} suppression={suppression} onRemove={() => onRemove(suppression)} />
      ))}
    </ul>
  );
}

function Row({ suppression, onRemove }: { suppression: Suppression; onRemove: () => void }) {
  const { channel, recipient, reason, contact_name: name, created_by_name: by, created_at: since } = suppression;
  const mayRemove = useWorkspace().workspace.role !== 'member';
  const { word, icon } = reasonLooks[reason];
  return (
    <li className={classes.row}>
      <ChannelIcon channel={channel} />
      <div className={classes.who}>
        <span className={classes.name} title={name ?? recipient}>
          {name ?? recipient}
        </span>
        {name !== null && (
          <span className={classes.address} title={recipient}>
            {recipient}
          </span>
        )}
      </div>
      <span className={classes.reason}>
        <ToneBadge word={word} icon={icon} tone={reason === 'bounced' || reason === 'complained' ? 'bad' : 'quiet'} />
      </span>
      <span className={classes.since}>
        <RelativeTime at={since} />
        {by !== null && <span> by {by}</span>}
      </span>
      {mayRemove && (
        <Button
          className={classes.remove}
          size="compact-sm"
          variant="default"
          onClick={onRemove}
          aria-label={`Remove ${recipient} (${channel})`}
        >
          Remove
        </Button>
      )}
    </li>
  );
}

export function SuppressionRowsSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className={classes.skeleton} aria-hidden>
          <Skeleton height={18} width={18} />
          <Skeleton height={12} width="28%" />
          <Skeleton height={22} width={110} />
          <Skeleton height={12} width="14%" ml="auto" />
        </div>
      ))}
    </div>
  );
}
