import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import type { ApiKey } from '#contract/api-keys.ts';
import { useApiKeys, useRequestUse } from '#web/api/api-keys.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ApiKeyRow } from './ApiKeyRow.tsx';
import classes from './api-keys.module.css';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx';
import { RotateKeyDialog } from './RotateKeyDialog.tsx';

type Asked = { to: 'create' } | { to: 'rotate' | 'revoke'; apiKey: ApiKey };

/** The API keys of a workspace, for its owners and admins. */
export function ApiKeys({ workspaceId }: { workspaceId: string }) {
  const found = useApiKeys(workspaceId);
  const { state, open, close } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, opened: state.isOpen, onClose: () => close(openCount) };
  const create = () => open({ to: 'create' });
  return (
    <>
      <RecordSection
        title="API keys"
        aside={
          <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
            Create key
          </Button>
        }
      >
        <Loaded of={found} failed="Error loading API keys">
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                icon={IconKey}
                title="No API keys yet"
                sentence="With a key your own programs send messages and read this workspace. Each may do only what you choose."
              />
            ) : (
              <>
                <RequestUse workspaceId={workspaceId} />
                <ul className={classes.rows} aria-label="API keys">
                  {all.map((apiKey) => (
                    <ApiKeyRow
                      key={apiKey.id}
                      apiKey={apiKey}
                      onRotate={() => open({ to: 'rotate', apiKey })}
                      onRevoke={() => open({ to: 'revoke', apiKey })}
                    />
                  ))}
                </ul>
                <LoadMore of={found} />
              </>
            )
          }
        </Loaded>
      </RecordSection>
      {asked?.to === 'create' && <CreateKeyDialog key={openCount} {...dialog} />}
      {asked?.to === 'rotate' && <RotateKeyDialog key={openCount} apiKey={asked.apiKey} {...dialog} />}
      {asked?.to === 'revoke' && <RevokeKeyDialog key={openCount} apiKey={asked.apiKey} {...dialog} />}
    </>
  );
}

const timeOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** All keys together have so many requests an hour. */
function RequestUse({ workspaceId }: { workspaceId: string }) {
  const { data } = useRequestUse(workspaceId);
  if (data === undefined) return <p className={classes.use}>All keys together: …</p>;
  const { used, limit, resets_at: resetsAt } = data;
  if (limit === null) return <p className={classes.use}>The number of requests is not limited here.</p>;
  return (
    <p className={classes.use} data-tone={used >= limit ? 'bad' : undefined}>
      All keys together: {used.toLocaleString('en')} of {limit.toLocaleString('en')} requests this hour
      {resetsAt !== null && `, counted anew at ${timeOf.format(new Date(resetsAt))}`}.
    </p>
  );
}
