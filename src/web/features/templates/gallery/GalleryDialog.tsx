import { Skeleton, Tabs } from '@mantine/core';
import { IconTemplate, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { starterTemplates } from '#domain/starter-templates/starter-templates.ts';
import { useCopyFromGallery, useGallery, useSaveTemplate } from '#web/api/templates.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './GalleryDialog.module.css';
import { GalleryEntry } from './GalleryEntry.tsx';

type GalleryDialogProps = { opened: boolean; onClose: () => void };

/** Templates to read and copy: those that the product brings along, and the public ones of all workspaces. */
export default function GalleryDialog({ opened, onClose }: GalleryDialogProps) {
  const [search, setSearch] = useState('');
  return (
    <Dialog title="Template gallery" opened={opened} onClose={onClose} width={680}>
      <p className={classes.intro}>A copy belongs to your workspace: change it as you like.</p>
      <Tabs defaultValue="starters" keepMounted={false}>
        <Tabs.List mb={12}>
          <Tabs.Tab value="starters">Starters</Tabs.Tab>
          <Tabs.Tab value="public">Public</Tabs.Tab>
        </Tabs.List>
        <SearchBox label="Search templates..." value={search} onSearch={setSearch} />
        <Tabs.Panel value="starters">
          <StarterEntries search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="public">
          <PublicEntries search={search} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

function PublicEntries({ search }: { search: string }) {
  const gallery = useGallery(search);
  const { mutateAsync } = useCopyFromGallery();
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
            ? 'Those of other workspaces appear here. A template becomes public when its switch is on and its workspace allows it.'
            : 'Try adjusting your search'
        }
      />
    );
  }
  return (
    <>
      <ul className={classes.list}>
        {gallery.data.map((template) => (
          <GalleryEntry
            key={template.id}
            template={template}
            from={template.workspace_name}
            copy={() => mutateAsync(template.id)}
          />
        ))}
      </ul>
      <LoadMore of={gallery} />
    </>
  );
}

/** The templates that the product brings along, to copy. */
function StarterEntries({ search }: { search: string }) {
  const { mutateAsync } = useSaveTemplate();
  const groups = starterTemplates(search);
  if (groups.length === 0)
    return <EmptyState icon={IconTemplate} title="No templates found" sentence="Try adjusting your search" />;
  return groups.map(({ title, templates }) => (
    <section key={title} aria-label={title}>
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.list}>
        {templates.map(({ slug, ...template }) => (
          <GalleryEntry
            key={slug}
            template={template}
            from={null}
            copy={() => mutateAsync({ kind: 'create', body: template })}
          />
        ))}
      </ul>
    </section>
  ));
}
