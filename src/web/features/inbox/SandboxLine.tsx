import { Skeleton } from '@mantine/core';
import { useSandboxAddresses } from '#web/api/inbox.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import classes from './inbox.module.css';

/** The purpose and the addresses of the sandbox in one line; its height is fixed while the addresses load. */
export function SandboxLine() {
  const { data, error } = useSandboxAddresses();
  if (error) return 'Cuebird catches everything here instead of sending it.';
  return (
    <span className={classes.sandbox}>
      <span>
        Cuebird catches everything here instead of sending it: mail at{' '}
        <code>{data ? `${data.smtp_host}:${data.smtp_port}` : '…'}</code>, webhooks at
      </span>
      {data ? (
        <Copyable text={data.webhook_url} label="Copy the webhook URL" />
      ) : (
        <span className={classes.awaited}>
          <Skeleton component="span" display="inline-block" height={12} width="100%" />
        </span>
      )}
    </span>
  );
}
