import { Button, Select, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey, NewApiKey } from '#contract/api-keys.ts';
import type { Member } from '#contract/members.ts';
import { useApiKeys, useRequestUse, useRevokeApiKey, useRotateApiKey } from '#web/api/api-keys.ts';
import { useMembers } from '#web/api/members.ts';
import { act } from '#web/ui/act.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
import { List } from '#web/ui/List.tsx';
import prose from '#web/ui/prose.module.css';
import { RecordSection } from '#web/ui/Record.tsx';
import { RelativeTime, useNow } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './api-keys.module.css';
import { CreateKeyDialog } from './CreateKeyDialog.tsx';
import { endAfter, ExpirySelect, type KeyLife } from './ExpirySelect.tsx';
import { type KeyState, keyState, scopeWords } from './key-words.ts';
import { NewKey } from './NewKey.tsx';

type Asked = { to: 'create' } | { to: 'rotate' | 'revoke'; apiKey: ApiKey };

/** The API keys of a workspace, for its owners and admins. */
export function ApiKeys({ workspaceId }: { workspaceId: string }) {
  const found = useApiKeys(workspaceId);
  const members = useMembers(workspaceId);
  const { state, dialog: shown, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, ...shown };
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
        <List
          isPart
          noun="API keys"
          of={found}
          above={<RequestUse workspaceId={workspaceId} />}
          cardClass={list.entry}
          card={(apiKey) => (
            <Row
              apiKey={apiKey}
              owner={members.data?.find(({ user_id: id }) => id === apiKey.owned_by)}
              onRotate={() => open({ to: 'rotate', apiKey })}
              onRevoke={() => open({ to: 'revoke', apiKey })}
            />
          )}
          empty={{
            icon: IconKey,
            title: 'No API keys yet',
            sentence:
              'With a key your own programs send messages and read this workspace. Each may do only what you choose.',
          }}
        />
      </RecordSection>
      {asked?.to === 'create' && <CreateKeyDialog key={openCount} {...dialog} />}
      {asked?.to === 'rotate' && <RotateKeyDialog key={openCount} apiKey={asked.apiKey} {...dialog} />}
      {asked?.to === 'revoke' && <RevokeDialog key={openCount} apiKey={asked.apiKey} {...dialog} />}
    </>
  );
}

const timeOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** All keys together have so many requests an hour. */
function RequestUse({ workspaceId }: { workspaceId: string }) {
  const { data } = useRequestUse(workspaceId);
  if (data === undefined)
    return (
      <Text px="var(--gutter)" pb={14} c="dimmed">
        All keys together: …
      </Text>
    );
  const { used, limit, resets_at: resetsAt } = data;
  if (limit === null)
    return (
      <Text px="var(--gutter)" pb={14} c="dimmed">
        The number of requests is not limited here.
      </Text>
    );
  return (
    <Text px="var(--gutter)" pb={14} c={used >= limit ? 'var(--status-bad)' : 'dimmed'}>
      All keys together: {used.toLocaleString('en')} of {limit.toLocaleString('en')} requests this hour
      {resetsAt !== null && `, counted anew at ${timeOf.format(new Date(resetsAt))}`}.
    </Text>
  );
}

type RowProps = { apiKey: ApiKey; owner: Member | undefined; onRotate: () => void; onRevoke: () => void };

function Row({ apiKey, owner, onRotate, onRevoke }: RowProps) {
  const { name, prefix, scopes, excludes_admin: excludesAdmin } = apiKey;
  const state = keyState(apiKey, useNow(60_000).getTime());
  const hasEnded = state === 'expired' || state === 'revoked';
  return (
    <>
      <span className={list.words} data-ended={hasEnded || undefined}>
        <span className={list.title}>
          <span className={classes.name}>{name}</span>
          <code className={prose.small}>{prefix}…</code>
          <StateBadge state={state} />
        </span>
        <span className={prose.small}>
          May {scopes.map((scope) => scopeWords[scope].name.toLowerCase()).join(', ')}
          {excludesAdmin && ', but for what only admins do'}. <Uses apiKey={apiKey} />
        </span>
        <span className={prose.small}>
          {!hasEnded && owner !== undefined && `Belongs to ${owner.full_name || owner.email}. `}
          Created <InstantText at={apiKey.created_at} show="day" />. <End apiKey={apiKey} state={state} />
        </span>
      </span>
      {!hasEnded && (
        <span className={prose.actions}>
          <Button size="compact-sm" variant="default" aria-label={`Rotate ${name}`} onClick={onRotate}>
            Rotate
          </Button>
          <Button size="compact-sm" variant="default" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        </span>
      )}
    </>
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

type RevokeDialogProps = { workspaceId: string; apiKey: ApiKey; opened: boolean; onClose: () => void };

function RevokeDialog({ workspaceId, apiKey: { id, name }, ...dialog }: RevokeDialogProps) {
  const { mutateAsync } = useRevokeApiKey(workspaceId);
  return (
    <ActDialog
      title={`Revoke ${name}?`}
      confirmLabel="Revoke key"
      run={() => mutateAsync(id)}
      done={['API key revoked', `Requests with ${name} are refused from now on.`]}
      failed="Error revoking API key"
      removesOpener
      {...dialog}
    >
      Programs that use it are refused at once. This cannot be undone; to replace it without a gap, rotate it.
    </ActDialog>
  );
}

const overlaps = [
  { value: '0', label: 'At once' },
  { value: '1', label: 'After an hour' },
  { value: '24', label: 'After a day' },
  { value: '168', label: 'After a week' },
];

type RotateKeyDialogProps = { workspaceId: string; apiKey: ApiKey; opened: boolean; onClose: () => void };

/** Replaces a key: shows the new one, and ends the old one after the chosen time. */
function RotateKeyDialog({ workspaceId, apiKey, opened, onClose }: RotateKeyDialogProps) {
  const { mutateAsync, isPending } = useRotateApiKey(workspaceId);
  const [overlap, setOverlap] = useState('24');
  const [life, setLife] = useState<KeyLife>('365');
  const [made, setMade] = useState<NewApiKey | null>(null);

  const submit = useSubmit(async () => {
    await act(
      mutateAsync({ id: apiKey.id, overlap_hours: Number(overlap), expires_at: endAfter(life) }).then(setMade),
      { failed: 'Error rotating API key' },
    );
  });

  return (
    <Dialog
      title={made ? 'Save the new API key' : `Rotate ${apiKey.name}`}
      opened={opened}
      onClose={onClose}
      mustAnswer={made !== null}
    >
      {made ? (
        <NewKey made={made} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <Text className={prose.breaks}>
              You get a new key that may do the same. The one in use, which begins with {apiKey.prefix}, goes on working
              for the time that you choose, so that you can put the new one in its place.
            </Text>
            <Select
              label="The key in use ends"
              data={overlaps}
              allowDeselect={false}
              value={overlap}
              onChange={(value) => setOverlap(value ?? '24')}
              data-autofocus
            />
            <ExpirySelect label="The new key expires after" value={life} onChange={setLife} />
            <FormButtons onCancel={onClose} isBusy={isPending}>
              Rotate key
            </FormButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
