import { Skeleton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useTemplateUses } from '#web/api/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import type { NamedTemplate } from './TemplateDialogs.tsx';
import classes from './UsesDialog.module.css';

type UsesDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** The reminders that were created from a template, with links. */
export function UsesDialog({ template, opened, onClose }: UsesDialogProps) {
  return (
    <Dialog title={`Where “${template.name}” is used`} opened={opened} onClose={onClose} width={560}>
      <Uses id={template.id} />
    </Dialog>
  );
}

function Uses({ id }: { id: string }) {
  const uses = useTemplateUses(id);
  if (uses.isPending) return <Skeleton height={120} aria-busy role="status" aria-label="Loading reminders" />;
  if (!uses.data) {
    return (
      <ErrorState
        title="The reminders could not be loaded"
        error={uses.error}
        onRetry={() => void uses.refetch()}
        isRetrying={uses.isFetching}
      />
    );
  }
  if (uses.data.length === 0) {
    return (
      <EmptyState
        icon={IconBell}
        title="Used by no reminder"
        sentence="Reminders created from this template are listed here."
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {uses.data.map(({ id: reminderId, name, status }) => (
          <li key={reminderId}>
            <TextLink className={classes.name} to="/reminders/$id/edit" params={{ id: reminderId }}>
              {name}
            </TextLink>
            <StatusBadge kind="reminder" status={status} />
          </li>
        ))}
      </ul>
      <LoadMore of={uses} />
    </>
  );
}
