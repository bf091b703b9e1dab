import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TextLink } from './links.tsx';
import { messageOf } from './message-of.ts';

const mostWaiting = 3;
let shownSoFar = 0;

/**
 * Shows a toast in front: one is shown at a time, so that they cover a screen's title and no more. What offers Undo or says that something
 * failed waits behind it and comes back, the newest first; what only said that something was done is over.
 */
function show(toast: NotificationData, { waits }: { waits: boolean }): string {
  shownSoFar += 1;
  notifications.updateState(notificationsStore, (before) =>
    before
      .filter((one) => one['data-waits'] === true && one.id !== toast.id)
      .toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
      .slice(-mostWaiting),
  );
  return notifications.show({
    closeButtonProps: { 'aria-label': 'Dismiss' },
    priority: shownSoFar,
    'data-waits': waits,
    ...toast,
  });
}

/** A green toast with Undo; stays for ten seconds, and comes back where it was not undone. */
export function notifyUndoable(title: string, message: string, undo: () => Promise<boolean>): void {
  const undoHere = async () => {
    notifications.hide(id);
    if (!(await undo())) notifyUndoable(title, message, undo);
  };
  const id = show(
    {
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
      autoClose: 10_000,
    },
    { waits: true },
  );
}

/** A green toast: `notifySuccess('Workspace switched', 'Now working in Acme')`. */
export function notifySuccess(title: string, message?: string): void {
  show(
    {
      title,
      message,
      color: 'green',
      icon: <IconCheck size={18} aria-hidden />,
      role: 'status',
      autoClose: 5_000,
    },
    { waits: false },
  );
}

/** A toast with an answer: `notifyAnswer('Schedule Details', 'Schedule: Daily')`. */
export function notifyAnswer(title: string, message: string): void {
  show(
    {
      id: `${title}|${message}`,
      title,
      message,
      icon: <IconInfoCircle size={18} aria-hidden />,
      role: 'status',
      autoClose: 5_000,
    },
    { waits: false },
  );
}

/** A red ('destructive') toast; stays longer, because it has more to read. Returns its id. */
export function notifyError(title: string, message?: string, link: ReactNode = null): string {
  return show(
    {
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
      autoClose: 8_000,
    },
    { waits: true },
  );
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
