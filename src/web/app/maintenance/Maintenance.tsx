import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { maintenanceQuery } from '#web/api/maintenance.ts';
import { maintenanceKey } from '#web/api/query-client.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { clearToasts } from '#web/ui/notify.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import classes from './Maintenance.module.css';

/** Covers the screen while the installation is closed to this person. The screen stays as it is, with what was written. */
export function Maintenance() {
  const { data: isClosed } = useQuery({ queryKey: maintenanceKey, initialData: false, enabled: false });
  return isClosed && <UnderMaintenance />;
}

/** The same page as the server shows in place of a screen, as a modal dialog: nothing below it can be reached, not even another dialog. */
function UnderMaintenance() {
  const queryClient = useQueryClient();
  const { isFetching, refetch } = useQuery(maintenanceQuery);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Returns the focus to where it was.
    return () => {
      shown?.close();
    };
  }, []);
  useEffect(
    () => () => {
      clearToasts();
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== maintenanceKey[0] });
    },
    [queryClient],
  );
  useDocumentTitle('Under maintenance');
  return (
    <dialog
      ref={dialog}
      className={classes.cover}
      aria-labelledby="under-maintenance"
      // Escape must not close it. The two handlers are for browsers without `closedby`, where it is closed for a moment.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <div className={classes.words}>
        <Logo size={48} />
        <h1 id="under-maintenance">Cuebird is under maintenance</h1>
        <p role="status">
          Reminders are still sent, and nothing is lost. This page comes back by itself, with what you have written on
          it.
        </p>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    </dialog>
  );
}
