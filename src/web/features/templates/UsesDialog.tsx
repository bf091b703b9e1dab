import { IconBell } from '@tabler/icons-react';
import { type NamedTemplate, useTemplateUses } from '#web/api/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { List } from '#web/ui/List.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
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

const Uses = ({ id }: { id: string }) => (
  <List
    isPart
    noun="reminders"
    failed="The reminders could not be loaded"
    of={useTemplateUses(id)}
    cardClass={classes.use}
    card={({ id: reminderId, name, status }) => (
      <>
        <TextLink className={classes.name} to="/reminders/$id/edit" params={{ id: reminderId }}>
          {name}
        </TextLink>
        <StatusBadge kind="reminder" status={status} />
      </>
    )}
    empty={{
      icon: IconBell,
      title: 'Used by no reminder',
      sentence: 'Reminders created from this template are listed here.',
    }}
  />
);
