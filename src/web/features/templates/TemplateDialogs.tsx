import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Template } from '#contract/templates.ts';
import { useFetchTemplate } from '#web/api/templates.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { DeleteTemplateDialog } from './DeleteTemplateDialog.tsx';
import { useLinkedTemplate } from './template-filter.ts';
import { UsesDialog } from './UsesDialog.tsx';

const loadForm = () => import('./form/TemplateDialog.tsx');
const TemplateDialog = lazy(loadForm);
const PreviewDialog = lazy(() => import('./preview/PreviewDialog.tsx'));
const CategoriesDialog = lazy(() => import('./categories/CategoriesDialog.tsx'));
const VersionsDialog = lazy(() => import('./versions/VersionsDialog.tsx'));
const GalleryDialog = lazy(() => import('./gallery/GalleryDialog.tsx'));

/** What may be asked of one template. */
export type AskedOfOne = 'edit' | 'preview' | 'delete' | 'versions' | 'uses';
export type Asked =
  | { to: 'create'; category: string | null }
  | { to: 'categories' | 'browse' }
  | { to: AskedOfOne; template: Template };

/** `turn` counts the openings. What was asked stays while its dialog closes, so that it does not empty before it is gone. */
type State = { asked: Asked | null; isOpen: boolean; turn: number };

/** Which dialog is open. The address names the template that is being edited, and opens it when it is followed. */
export function useTemplateDialogs() {
  const [state, setState] = useState<State>({ asked: null, isOpen: false, turn: 0 });
  const linked = useLinkedTemplate();
  const open = (asked: Asked) => {
    setState(({ turn }) => ({ asked, isOpen: true, turn: turn + 1 }));
    if (asked.to === 'edit') linked.tell(asked.template.id);
  };
  useOpenLinked({ linked, open, openId: openIdOf(state) });
  return {
    state,
    open,
    // An answer that comes late must not close the dialog of a later turn.
    close: (turn: number) => {
      setState((now) => (now.turn === turn ? { ...now, isOpen: false } : now));
      linked.tell(undefined);
    },
  };
}

const openIdOf = ({ asked, isOpen }: State) => (isOpen && asked?.to === 'edit' ? asked.template.id : undefined);

type Linked = {
  linked: ReturnType<typeof useLinkedTemplate>;
  open: (asked: Asked) => void;
  openId: string | undefined;
};

function useOpenLinked({ linked, open, openId }: Linked): void {
  const fetchTemplate = useFetchTemplate();
  const followed = useRef<string>(undefined);
  const { id, tell } = linked;
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
        tell(undefined);
      },
    );
  });
}

type TemplateDialogsProps = Pick<ReturnType<typeof useTemplateDialogs>, 'state' | 'close'>;

/** The dialog that was asked for; each opening begins anew. */
export function TemplateDialogs({ state: { asked, isOpen, turn }, close }: TemplateDialogsProps) {
  // With its inputs it weighs as much as the rest of the screen; it arrives while the list is looked at.
  useEffect(() => void loadForm(), []);
  return (
    <Suspense>{asked && <AskedDialog key={turn} asked={asked} opened={isOpen} onClose={() => close(turn)} />}</Suspense>
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
