import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox, Select, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Member, MemberAccess } from '#contract/members.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useMemberAccess, useMembers, useRemoveMember } from '#web/api/members.ts';
import { useSession } from '#web/api/session.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { memberName } from './member-name.ts';

type RemoveMemberDialogProps = { workspace: Workspace; member: Member; opened: boolean; onClose: () => void };

/** Removes a member after saying what could outlive the membership: keys, which can be transferred, hooks and callbacks, which can have new addresses, and the secret of webhooks. */
export function RemoveMemberDialog({ workspace, member, ...dialog }: RemoveMemberDialogProps) {
  const access = useMemberAccess(workspace.id, member.id);
  const heirs = useHeirs(workspace.id, member);
  const { mutateAsync } = useRemoveMember(workspace.id);
  const [keys, setKeys] = useState<string[]>([]);
  const [heir, setHeir] = useState<string | null>(null);
  const [hooks, setHooks] = useState<string[]>([]);
  const [callbacks, setCallbacks] = useState<string[]>([]);
  const [hasNewSecret, setHasNewSecret] = useState(false);
  const name = memberName(member);
  const to = heir ?? heirs[0]?.id;

  return (
    <ActDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove member"
      width={520}
      run={() =>
        mutateAsync({
          id: member.id,
          transfer: keys.length === 0 || to === undefined ? null : { keys, to },
          renew_hooks: hooks,
          renew_callbacks: callbacks,
          renew_signing_secret: hasNewSecret,
        })
      }
      done={['Member removed', `${name} is no longer a member of ${workspace.name}.${newAddresses(hooks.length)}`]}
      failed="Error removing member"
      removesOpener
      isLoading={access.isPending}
      {...dialog}
    >
      <Stack gap={16}>
        <span>
          {name} ({member.email}) loses access to {workspace.name} at once. What they made stays. Their API keys and
          calendar feeds end, and so do invitations that they sent and nobody has accepted.
        </span>
        <Loaded of={access} failed="Error loading what they have access to">
          {(found) => (
            <>
              {found.api_keys.length > 0 && to !== undefined && (
                <Choices
                  label="API keys that go on working"
                  description={`${name} may have a copy: rotate a key that you keep.`}
                  value={keys}
                  onChange={setKeys}
                  choices={found.api_keys.map(keyChoice)}
                />
              )}
              {keys.length > 0 && (
                <Select
                  label="They belong to"
                  data={heirs.map((one) => ({ value: one.id, label: `${memberName(one)} (${one.email})` }))}
                  allowDeselect={false}
                  value={to ?? null}
                  onChange={setHeir}
                />
              )}
              {found.hooks.length > 0 && (
                <Choices
                  label="Hooks that get a new address"
                  description="Every member can read the addresses of hooks. The one in use stops working at once: the reminder shows the new one, for whoever calls it."
                  value={hooks}
                  onChange={setHooks}
                  choices={found.hooks.map(hookChoice)}
                />
              )}
              {found.callbacks.length > 0 && (
                <Choices
                  label="Channels that get a new callback address"
                  description="Owners and admins can read these addresses. The one in use stops working at once: the channel shows the new one, for its provider."
                  value={callbacks}
                  onChange={setCallbacks}
                  choices={found.callbacks.map(({ channel_id: value, name: label }) => ({ value, label }))}
                />
              )}
              {found.has_signing_secret && (
                <Checkbox
                  label="New signing secret of webhooks"
                  description="Owners and admins can read the secret. For a day the present one signs too, so that receivers can be changed one by one."
                  checked={hasNewSecret}
                  onChange={(event) => setHasNewSecret(event.currentTarget.checked)}
                />
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </ActDialog>
  );
}

/** Who can have API keys, the viewer first. */
function useHeirs(workspaceId: string, { id: removed }: Member): Member[] {
  const userId = useSession()?.user.id;
  const { data = [] } = useMembers(workspaceId);
  return data
    .filter(({ id, role }) => id !== removed && role !== 'member')
    .toSorted((one, other) => Number(other.user_id === userId) - Number(one.user_id === userId));
}

const newAddresses = (hooks: number) =>
  hooks === 0 ? '' : hooks === 1 ? ' One hook has a new address.' : ` ${hooks} hooks have new addresses.`;

type Choice = { value: string; label: string; description?: ReactNode };

const keyChoice = ({ id, name, prefix, last_used_at: at }: MemberAccess['api_keys'][number]): Choice => ({
  value: id,
  label: `${name} (${prefix}…)`,
  description: at === null ? 'Never used' : <LastTime word="Last used" at={at} />,
});

const hookChoice = ({ reminder_id: id, name, last_received_at: at }: MemberAccess['hooks'][number]): Choice => ({
  value: id,
  label: name,
  description: at === null ? 'Never called' : <LastTime word="Last called" at={at} />,
});

const LastTime = ({ word, at }: { word: string; at: string }) => (
  <>
    {word} <RelativeTime at={at} />
  </>
);

type ChoicesProps = {
  label: string;
  description: string;
  choices: readonly Choice[];
  value: string[];
  onChange: (value: string[]) => void;
};

const Choices = ({ choices, ...group }: ChoicesProps) => (
  <Checkbox.Group {...group}>
    <Stack gap={10} mt={10} mah={220} style={{ overflowY: 'auto' }}>
      {choices.map((choice) => (
        <Checkbox key={choice.value} {...choice} />
      ))}
    </Stack>
  </Checkbox.Group>
);
