import { IconBell } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { type NamedTemplate, useDeleteTemplate, useFetchTemplate, useTemplateUses } from '#web/api/templates.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { List } from '#web/ui/List.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { stateOfReminder } from '#contract/reminders.ts';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { type DialogState, useDialogState } from '#web/ui/use-dialog-state.ts';
import { useTemplateFilter } from './template-filter.ts';
import classes from './UsesDialog.module.css';

const loadForm = () => import('./form/TemplateDialog.tsx');
const TemplateDialog = lazy(loadForm);
const PreviewDialog = lazy(() => import('./preview/PreviewDialog.tsx'));
const CategoriesDialog = lazy(() => import('./categories/CategoriesDialog.tsx'));
const VersionsDialog = lazy(() => import('./versions/VersionsDialog.tsx'));
const GalleryDialog = lazy(() => import('./gallery/GalleryDialog.tsx'));

/** The dialogs of a single template. */
export type AskedOfOne = 'edit' | 'preview' | 'delete' | 'versions' | 'uses';
export type Asked =
  | { to: 'create'; category: string | null }
  | { to: 'categories' | 'browse' }
  | { to: AskedOfOne; template: NamedTemplate };

/** The state of the dialogs. The URL names the template that is edited, so a link opens its form. */
export function useTemplateDialogs() {
  const { state, open, close } = useDialogState<Asked>();
  const { template: id, change } = useTemplateFilter();
  const setLinked = (template: string | undefined) => change({ template });
  const openAndLink = (asked: Asked) => {
    open(asked);
    if (asked.to === 'edit') setLinked(asked.template.id);
  };
  useOpenLinked({ id, setLinked, open: openAndLink, openId: openIdOf(state) });
  return {
    state,
    open: openAndLink,
    close: (openCount: number) => {
      close(openCount);
      setLinked(undefined);
    },
  };
}

const openIdOf = ({ asked, isOpen }: DialogState<Asked>) =>
  isOpen && asked?.to === 'edit' ? asked.template.id : undefined;

type Linked = {
  id: string | undefined;
  setLinked: (id: string | undefined) => void;
  open: (asked: Asked) => void;
  openId: string | undefined;
};

function useOpenLinked({ id, setLinked, open, openId }: Linked): void {
  const fetchTemplate = useFetchTemplate();
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (id === undefined || id === openId || id === followed.current) {
      followed.current = id;
      return;
    }
    followed.current = id;
    fetchTemplate(id).then(
      (template) => open({ to: 'edit', template }),
      (error: unknown) => {
        notifyFailure('Error loading templates', error);
        setLinked(undefined);
      },
    );
  });
}

type TemplateDialogsProps = Pick<ReturnType<typeof useTemplateDialogs>, 'state' | 'close'>;

/** The open dialog; each opening starts with fresh state. */
export function TemplateDialogs({ state: { asked, isOpen, openCount }, close }: TemplateDialogsProps) {
  // The form is as large as the rest of the screen; it is preloaded while the list is shown.
  useEffect(() => void loadForm(), []);
  return (
    <Suspense>
      {asked && <AskedDialog key={openCount} asked={asked} opened={isOpen} onClose={() => close(openCount)} />}
    </Suspense>
  );
}

function AskedDialog({ asked, ...dialog }: { asked: Asked; opened: boolean; onClose: () => void }) {
  switch (asked.to) {
    case 'create':
      return <TemplateDialog template={null} category={asked.category} {...dialog} />;
    case 'edit':
      return <TemplateDialog template={asked.template} category={null} {...dialog} />;
    case 'preview':
      return <PreviewDialog template={asked.template} {...dialog} />;
    case 'delete':
      return <DeleteTemplateDialog template={asked.template} {...dialog} />;
    case 'versions':
      return <VersionsDialog template={asked.template} {...dialog} />;
    case 'uses':
      return <UsesDialog template={asked.template} {...dialog} />;
    case 'categories':
      return <CategoriesDialog {...dialog} />;
    case 'browse':
      return <GalleryDialog {...dialog} />;
    default:
      return asked satisfies never;
  }
}

type DeleteTemplateDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** Asks for confirmation before a template is deleted. */
function DeleteTemplateDialog({ template, opened, onClose }: DeleteTemplateDialogProps) {
  const { mutateAsync } = useDeleteTemplate();
  return (
    <ActDialog
      title="Delete template?"
      confirmLabel="Delete Template"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(template.id)}
      done={['Template deleted', `“${template.name}” has been deleted`]}
      failed="Error deleting template"
      removesOpener
    >
      <strong>{template.name}</strong> and its versions will be deleted. Reminders created from it keep their text and
      continue. This cannot be undone.
    </ActDialog>
  );
}

type UsesDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** The reminders that were created from a template, with links. */
function UsesDialog({ template, opened, onClose }: UsesDialogProps) {
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
    failed="Error loading the reminders"
    of={useTemplateUses(id)}
    cardClass={classes.use}
    card={({ id: reminderId, name, ...reminder }) => (
      <>
        <TextLink className={prose.breaks} miw={0} to="/reminders/$id/edit" params={{ id: reminderId }}>
          {name}
        </TextLink>
        <StatusBadge kind="reminder" status={stateOfReminder(reminder)} />
      </>
    )}
    empty={{
      icon: IconBell,
      title: 'Used by no reminder',
      sentence: 'Reminders created from this template are listed here.',
    }}
  />
);
