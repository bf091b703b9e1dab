import { Box, Button, Stack, Text, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Hook, HookCall } from '#contract/events.ts';
import type { Reminder } from '#contract/reminders.ts';
import { useHook, useHookCalls, useRotateHook, useSetHookSecret } from '#web/api/hooks.ts';
import { EffectText } from '#web/features/events/EffectText.tsx';
import { eventFields } from '#web/features/reminders/test-event/event-fields.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { Copyable } from '#web/ui/Copyable.tsx';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { CommandText } from './CommandText.tsx';
import { hookCurl } from './hook-curl.ts';
import { SigningSecret } from '#contract/signing-secret.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { newHookSecret } from './hook-secret.ts';

/** The hook of a reminder: its address, its secret, a command that calls it, and its last calls. */
export default function HookSection({ reminder }: { reminder: Reminder }) {
  const hook = useHook(reminder.id);
  return (
    <RecordSection title="Hook">
      <Loaded of={hook} failed="Error loading the hook">
        {(found) => <Address hook={found} reminder={reminder} />}
      </Loaded>
      <Box component="h3" m={0} pt="xs" pb="sm" px="var(--gutter)" fz="sm">
        Last calls
      </Box>
      <HookCalls reminderId={reminder.id} />
    </RecordSection>
  );
}

function Address({ hook: { url, is_signed: isSigned }, reminder }: { hook: Hook; reminder: Reminder }) {
  const mayChange = useWorkspace().workspace.role !== 'member';
  const [{ values: data, lists }] = useState(() => eventFields(reminder, { now: new Date() }));
  return (
    <Stack gap="sm" pb="md" px="var(--gutter)">
      <Text maw={720} c="dimmed">
        Each call of this address sends the reminder once.{' '}
        {isSigned
          ? 'Calls must be signed with the secret of the hook, as Standard Webhooks describes.'
          : 'Whoever knows the address can call it.'}
      </Text>
      <Copyable text={url} label="Copy the address of the hook" />
      {mayChange && <Actions reminderId={reminder.id} url={url} isSigned={isSigned} data={data} lists={lists} />}
      <CommandText label="Call the hook with curl">
        {hookCurl({ url, data, lists, secret: isSigned ? 'asked' : null })}
      </CommandText>
    </Stack>
  );
}

type ActionsProps = {
  reminderId: string;
  url: string;
  isSigned: boolean;
  data: Record<string, string>;
  lists: string[];
};

function Actions({ reminderId, url, isSigned, data, lists }: ActionsProps) {
  const rotate = useRotateHook(reminderId);
  const setSecret = useSetHookSecret(reminderId);
  const {
    state,
    dialog: { onClose: hide },
    open,
  } = useDialogState<'rotate' | 'secret' | 'remove'>();
  const isOpen = (dialog: typeof state.asked) => state.isOpen && state.asked === dialog;
  return (
    <div className={prose.actions}>
      <Button size="compact-sm" variant="default" onClick={() => open('rotate')}>
        Rotate address
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => open('secret')}>
        {isSigned ? 'Replace secret' : 'Require signatures'}
      </Button>
      {isSigned && (
        <Button size="compact-sm" variant="default" onClick={() => open('remove')}>
          Remove secret
        </Button>
      )}
      <ActDialog
        title="Replace the address of the hook?"
        confirmLabel="Replace address"
        run={() => rotate.mutateAsync()}
        done={['Address replaced', 'The one before has ended.']}
        failed="Error replacing the address"
        opened={isOpen('rotate')}
        onClose={hide}
      >
        The address in use ends at once, and calls of it are refused. Enter the new one at every system that calls it.
      </ActDialog>
      <ActDialog
        title="Remove the secret of the hook?"
        confirmLabel="Remove secret"
        run={() => setSecret.mutateAsync(null)}
        done={['Secret removed', 'Unsigned calls are accepted.']}
        failed="Error removing the secret"
        opened={isOpen('remove')}
        onClose={hide}
      >
        Calls are no longer checked: whoever knows the address can send the reminder.
      </ActDialog>
      {state.asked === 'secret' && (
        <HookSecretDialog
          key={state.openCount}
          {...{ reminderId, url, isSigned, data, lists }}
          opened={state.isOpen}
          onClose={hide}
        />
      )}
    </div>
  );
}

/** The last calls of a hook, latest first, each with its answer. */
function HookCalls({ reminderId }: { reminderId: string }) {
  const calls = useHookCalls(reminderId);
  return (
    <Loaded of={calls} failed="Error loading the last calls">
      {(found) =>
        found.length === 0 ? (
          <p className={record.quiet}>
            Nobody has called it yet. The last ten calls are listed here with their answers.
          </p>
        ) : (
          <ul aria-label="Last calls">
            {found.map((call, at) => (
              <Row key={`${call.received_at} ${at}`} call={call} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Row({ call: { received_at: at, status, problem, event } }: { call: HookCall }) {
  return (
    <li className={record.row}>
      <div className={record.line}>
        <span className={record.name}>
          {status} {answerOf(status)}
        </span>
        <span className={record.note}>
          <RelativeTime at={at} />
        </span>
      </div>
      {problem !== null && (
        <span className={record.note} data-tone="bad">
          {problem}
        </span>
      )}
      {event !== null && <EffectText effect={event} />}
    </li>
  );
}

function answerOf(status: number): string {
  if (status === 200) return 'Known already';
  return status < 300 ? 'Accepted' : 'Refused';
}

type HookSecretDialogProps = {
  reminderId: string;
  url: string;
  isSigned: boolean;
  /** What the command sends. */
  data: Record<string, string>;
  lists: string[];
  opened: boolean;
  onClose: () => void;
};

/** Sets the secret of a hook, and then shows it for the only time. It stands within the form of a reminder, so it is no form itself. */
function HookSecretDialog({ reminderId, url, isSigned, data, lists, opened, onClose }: HookSecretDialogProps) {
  const [given, setGiven] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const save = useSetHookSecret(reminderId);
  const submit = async () => {
    const parsed = SigningSecret(200).safeParse(given.trim() || newHookSecret());
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? 'is not a secret');
    if (await act(save.mutateAsync(parsed.data), { failed: 'Error setting the secret' })) setSecret(parsed.data);
  };
  const title = secret === null ? (isSigned ? 'Replace the secret?' : 'Require signatures?') : 'The secret of the hook';
  return (
    <Dialog title={title} opened={opened} onClose={onClose} width={640} mustAnswer={secret !== null}>
      {secret === null ? (
        <Stack gap={16}>
          <p className={prose.plain}>
            Calls must then be signed with a secret, as Standard Webhooks describes, and all others are refused
            {isSigned && ', also those with the secret of now'}.
          </p>
          <TextInput
            label="Secret of the sender"
            description="Leave it empty, and a new secret is made."
            value={given}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            error={problem}
            onChange={({ currentTarget }) => {
              setGiven(currentTarget.value);
              setProblem(null);
            }}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={save.isPending} onClick={() => void submit()}>
              {isSigned ? 'Replace secret' : 'Require signatures'}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap={16}>
          <p className={prose.plain} role="status">
            Only signed calls are accepted now. The secret is shown only this time: enter it at the sender.
          </p>
          <Copyable text={secret} label="Copy the secret" />
          <CommandText label="Call the hook with this secret">
            {hookCurl({ url, data, lists, secret: { value: secret } })}
          </CommandText>
          <Group justify="flex-end">
            <Button onClick={({ detail }) => detail < 2 && onClose()}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
