import { Skeleton } from '@mantine/core';
import { useTemplateVersions } from '#web/api/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import type { NamedTemplate } from '#web/features/templates/TemplateDialogs.tsx';
import { VersionEntry } from './VersionEntry.tsx';
import classes from './VersionsDialog.module.css';

type VersionsDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** The versions of a template with their changes, and a button to restore one. */
export default function VersionsDialog({ template, opened, onClose }: VersionsDialogProps) {
  return (
    <Dialog title={`Versions of “${template.name}”`} opened={opened} onClose={onClose} width={680}>
      <Versions id={template.id} />
    </Dialog>
  );
}

function Versions({ id }: { id: string }) {
  const versions = useTemplateVersions(id);
  if (versions.isPending) return <Skeleton height={200} aria-busy role="status" aria-label="Loading versions" />;
  if (!versions.data) {
    return (
      <ErrorState
        title="The versions could not be loaded"
        error={versions.error}
        onRetry={() => void versions.refetch()}
        isRetrying={versions.isFetching}
      />
    );
  }
  const shown = versions.data;
  return (
    <>
      <ol className={classes.list}>
        {shown.map((version, at) => (
          <VersionEntry
            key={version.id}
            templateId={id}
            version={version}
            before={shown[at + 1] ?? null}
            isCurrent={at === 0}
          />
        ))}
      </ol>
      <LoadMore of={versions} />
    </>
  );
}
