import { Skeleton } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { useGallery } from '#web/api/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './GalleryDialog.module.css';
import { GalleryEntry } from './GalleryEntry.tsx';

type GalleryDialogProps = { opened: boolean; onClose: () => void };

/** The public templates of all workspaces, to preview and copy. */
export default function GalleryDialog({ opened, onClose }: GalleryDialogProps) {
  const [search, setSearch] = useState('');
  return (
    <Dialog title="Public templates" opened={opened} onClose={onClose} width={680}>
      <p className={classes.intro}>
        Public templates of other workspaces on this installation. A copy belongs to your workspace.
      </p>
      <SearchBox label="Search public templates..." value={search} onSearch={setSearch} />
      <Entries search={search} />
    </Dialog>
  );
}

function Entries({ search }: { search: string }) {
  const gallery = useGallery(search);
  if (gallery.isPending)
    return <Skeleton height={240} mt={16} aria-busy role="status" aria-label="Loading public templates" />;
  if (!gallery.data) {
    return (
      <ErrorState
        title="Error loading templates"
        error={gallery.error}
        onRetry={() => void gallery.refetch()}
        isRetrying={gallery.isFetching}
      />
    );
  }
  if (gallery.data.length === 0) {
    return (
      <EmptyState
        icon={IconWorld}
        title={search === '' ? 'No public templates yet' : 'No templates found'}
        sentence={
          search === ''
            ? 'A template becomes public when its switch is on and its workspace allows it.'
            : 'Try adjusting your search'
        }
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {gallery.data.map((template) => (
          <GalleryEntry key={template.id} template={template} />
        ))}
      </ul>
      <LoadMore of={gallery} />
    </>
  );
}
