import { Button } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import type { useTemplateStart } from './use-template-start.ts';
import type { Beginning } from './with-template.ts';

const loadPicker = () => import('./TemplatePicker.tsx');
const TemplatePicker = lazyPart(loadPicker);

type Start = ReturnType<typeof useTemplateStart>;

/** Opens the picker. */
export const TemplateButton = ({ start, label }: { start: Start; label: string }) => (
  <Button
    variant="default"
    leftSection={<IconTemplate size={16} aria-hidden />}
    onPointerEnter={() => void loadPicker().catch(() => {})}
    onClick={start.open}
  >
    {label}
  </Button>
);

export function TemplateDialogs({ start }: { start: Start }) {
  const isWanted = useEver(start.isPicking);
  const { asked } = start;
  const pick = (template: Beginning) => {
    start.close();
    start.use(template);
  };
  return (
    <>
      <Suspense>{isWanted && <TemplatePicker opened={start.isPicking} onClose={start.close} onPick={pick} />}</Suspense>
      <ConfirmDialog
        title="Replace subject and message?"
        confirmLabel="Replace"
        opened={start.isAsking}
        onClose={start.stopAsking}
        onConfirm={() => asked && void start.begin(asked)}
      >
        The subject and the message become those of “{asked?.name}”.
      </ConfirmDialog>
    </>
  );
}
