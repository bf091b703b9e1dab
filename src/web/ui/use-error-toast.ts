import { useEffect } from 'react';
import { notifyError } from './notify.tsx';
import { messageOf } from './message-of.ts';

type Toast = { title: string /** The message in place of the error's own. */; message?: string };

/** Shows a red toast each time a query fails with a new error; null shows none. */
export function useErrorToast(error: unknown, { title, message }: Toast): void {
  useEffect(() => {
    if (error) notifyError(title, message ?? messageOf(error));
  }, [error, title, message]);
}
