import { useSandboxAddresses } from '#web/api/inbox.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import classes from './inbox.module.css';

/** What the sandbox is and where it listens, in one line. */
export function SandboxLine() {
  const { data } = useSandboxAddresses();
  return (
    <span className={classes.sandbox}>
      <span>
        Cuebird catches everything here instead of sending it
        {data && (
          <>
            : mail at{' '}
            <code>
              {data.smtp_host}:{data.smtp_port}
            </code>
            , webhooks at
          </>
        )}
        {!data && '.'}
      </span>
      {data && <Copyable text={data.webhook_url} label="Copy the webhook URL" />}
    </span>
  );
}
