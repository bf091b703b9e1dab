import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TextLink } from './links.tsx';
import { messageOf } from './message-of.ts';

const closeButtonProps = { 'aria-label': 'Dismiss' };

/** What the toast is about, such as a reminder: it replaces an earlier toast about the same. */
type About = { about: string };

/** The latest toast about each thing. */
const latest = new Map<string, string>();

/** Below this width the toasts cover the title of a screen only if there is one at a time. */
const narrow = '(max-width: 61.99em)';

function show(toast: NotificationData, of?: About): string {
  if (of !== undefined) notifications.hide(latest.get(of.about) ?? '');
  if (window.matchMedia(narrow).matches) hideOthers(toast.id);
  const id = notifications.show(toast);
  if (of !== undefined) latest.set(of.about, id);
  return id;
}

function hideOthers(kept: string | undefined): void {
  const { notifications: shown, queue } = notificationsStore.getState();
  for (const { id } of [...queue, ...shown]) if (id !== undefined && id !== kept) notifications.hide(id);
}

/** A green toast with Undo; stays for ten seconds, and comes back where it was not undone. */
export function notifyUndoable(
  title: string,
  message: string,
  { undo, ...of }: About & { undo: () => Promise<boolean> },
): void {
  const undoHere = async () => {
    notifications.hide(id);
    if (!(await undo())) notifyUndoable(title, message, { undo, ...of });
  };
  const toast: NotificationData = {
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
  };
  const id = show(toast, of);
}

/** A green toast: `notifySuccess('Workspace switched', 'Now working in Acme')`. */
export function notifySuccess(title: string, message?: string, of?: About): void {
  show(
    {
      title,
      message,
      color: 'green',
      icon: <IconCheck size={18} aria-hidden />,
      role: 'status',
      closeButtonProps,
      autoClose: 5_000,
    },
    of,
  );
}

/** A toast with an answer: `notifyAnswer('Schedule Details', 'Schedule: Daily')`. */
export function notifyAnswer(title: string, message: string): void {
  show({
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
  return show({
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
