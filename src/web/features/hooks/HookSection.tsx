import { Box, Button, Stack, Text } from '@mantine/core';
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
import { HookSecretDialog } from './HookSecretDialog.tsx';

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
  const [data] = useState(() => eventFields(reminder, { now: new Date() }).values);
  return (
    <Stack gap="sm" pb="md" px="var(--gutter)">
      <Text maw={720} c="dimmed">
        Each call of this address sends the reminder once.{' '}
        {isSigned
          ? 'Calls must be signed with the secret of the hook, as Standard Webhooks describes.'
          : 'Whoever knows the address can call it.'}
      </Text>
      <Copyable text={url} label="Copy the address of the hook" />
      {mayChange && <Actions reminderId={reminder.id} url={url} isSigned={isSigned} data={data} />}
      <CommandText label="Call the hook with curl">
        {hookCurl({ url, data, secret: isSigned ? 'asked' : null })}
      </CommandText>
    </Stack>
  );
}

type ActionsProps = { reminderId: string; url: string; isSigned: boolean; data: Record<string, string> };

function Actions({ reminderId, url, isSigned, data }: ActionsProps) {
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
          {...{ reminderId, url, isSigned, data }}
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
          <ul className={record.list} aria-label="Last calls">
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
