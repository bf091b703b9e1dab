import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TextLink } from './links.tsx';
import { messageOf } from './message-of.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** A green toast with Undo; stays for ten seconds, and comes back where it was not undone. */
export function notifyUndoable(title: string, message: string, undo: () => Promise<boolean>): void {
  const undoHere = async () => {
    notifications.hide(id);
    if (!(await undo())) notifyUndoable(title, message, undo);
  };
  const id = notifications.show({
    title,
    message: (
      <Group justify="space-between" gap={8} wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-sm" variant="light" flex="none" onClick={() => void undoHere()}>
          Undo
        </Button>
      </Group>
    ),
    color: 'green',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    closeButtonProps,
    autoClose: 10_000,
  });
}

/** A green toast: `notifySuccess('Workspace switched', 'Now working in Acme')`. */
export function notifySuccess(title: string, message?: string): void {
  notifications.show({
    title,
    message,
    color: 'green',
    icon: <IconCheck size={18} aria-hidden />,
    role: 'status',
    closeButtonProps,
    autoClose: 5_000,
  });
}

/** A toast with an answer: `notifyAnswer('Schedule Details', 'Schedule: Daily')`. */
export function notifyAnswer(title: string, message: string): void {
  notifications.show({
    id: `${title}|${message}`,
    title,
    message,
    icon: <IconInfoCircle size={18} aria-hidden />,
    role: 'status',
    closeButtonProps,
    autoClose: 5_000,
  });
}

/** A red ('destructive') toast; stays longer, because it has more to read. Returns its id. */
export function notifyError(title: string, message?: string, link: ReactNode = null): string {
  return notifications.show({
    // Equal errors share one toast.
    id: `${title}|${message}`,
    title,
    message: link ? (
      <>
        {message} {link}
      </>
    ) : (
      message
    ),
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    role: 'alert',
    closeButtonProps,
    autoClose: 8_000,
  });
}

/** A red toast with the error's message: `notifyFailure('Error updating job', error)`. What a plan lacks leads to the plans. */
export function notifyFailure(title: string, error: unknown, fallback?: string): string {
  const isPlanLimit = error instanceof Error && 'code' in error && error.code === 'plan_limit';
  return notifyError(
    title,
    messageOf(error, fallback),
    isPlanLimit && <TextLink to="/billing">See the plans</TextLink>,
  );
}

export const hideToast = (id: string) => void notifications.hide(id);

/** Removes all toasts, when the action is tried again. */
export function clearToasts(): void {
  notifications.clean();
}
