import { Box, Group, Tabs, Text } from '@mantine/core';
import { IconCopy, IconTemplate, IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import { starterTemplates } from '#domain/starter-templates/starter-templates.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useCopyFromGallery, useGallery, useSaveTemplate } from '#web/api/templates.ts';
import { variablesText } from '#web/features/templates/template-words.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { List } from '#web/ui/List.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import entries from '#web/ui/entries.module.css';

type GalleryDialogProps = { opened: boolean; onClose: () => void };

/** Templates to read and copy: those that the product brings along, and the public ones of all workspaces. */
export default function GalleryDialog({ opened, onClose }: GalleryDialogProps) {
  const [search, setSearch] = useState('');
  return (
    <Dialog title="Template gallery" opened={opened} onClose={onClose} width={680}>
      <Text mb="sm" c="dimmed">
        A copy belongs to your workspace: change it as you like.
      </Text>
      <Tabs defaultValue="starters" keepMounted={false}>
        <Tabs.List mb={12}>
          <Tabs.Tab value="starters">Starters</Tabs.Tab>
          <Tabs.Tab value="public">Public</Tabs.Tab>
        </Tabs.List>
        <SearchBox label="Search templates..." value={search} onSearch={(text = '') => setSearch(text)} />
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
  const { mutateAsync } = useCopyFromGallery();
  return (
    <List
      isPart
      noun="templates"
      of={useGallery(search)}
      empty={{
        icon: IconWorld,
        title: search === '' ? 'No public templates yet' : 'No templates found',
        sentence:
          search === ''
            ? 'Those of other workspaces appear here. A template becomes public when its switch is on and its workspace allows it.'
            : 'Try adjusting your search',
      }}
    >
      {(templates) => (
        <ul>
          {templates.map((template) => (
            <GalleryEntry
              key={template.id}
              template={template}
              from={template.workspace_name}
              copy={() => mutateAsync(template.id)}
            />
          ))}
        </ul>
      )}
    </List>
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
      <Box component="h3" m="16px 0 4px" fz="var(--mantine-font-size-sm)" fw={600} c="dimmed">
        {title}
      </Box>
      <ul>
        {templates.map(({ slug, scheduleType: _, ...template }) => (
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

type GalleryEntryProps = {
  template: Omit<GalleryTemplate, 'id' | 'workspace_name'>;
  /** The workspace that it comes from; null for one of the product. */
  from: string | null;
  copy: () => Promise<unknown>;
};

/** A template to copy, with its text. */
function GalleryEntry({ template, from, copy }: GalleryEntryProps) {
  const { name, description, content, variables } = template;
  return (
    <li className={entries.entry} aria-label={name}>
      <Group align="flex-start" gap={12} wrap="nowrap">
        <div className={entries.words}>
          <h3 className={entries.name}>{name}</h3>
          <Text className={entries.note} mt={2}>
            {from !== null && `From ${from} · `}
            {channelLooks[content.type].name} · {variablesText(variables.variables.length)}
          </Text>
        </div>
        <CopyButton name={name} from={from} copy={copy} />
      </Group>
      {description && <p className={entries.description}>{description}</p>}
      <Box component="details" className={entries.text} mt={6}>
        <summary>Show the text</summary>
        {content.subject && <p className={entries.subject}>{content.subject}</p>}
        <p>{content.body || '–'}</p>
      </Box>
    </li>
  );
}

function CopyButton({ name, from, copy }: Pick<GalleryEntryProps, 'from' | 'copy'> & { name: string }) {
  const [isCopying, setIsCopying] = useState(false);
  const start = async () => {
    setIsCopying(true);
    await act(copy(), {
      done: ['Template created', `“${name}” has been copied${from === null ? '' : ` from ${from}`}`],
      failed: 'Error duplicating template',
    });
    setIsCopying(false);
  };
  return (
    <SmallButton icon={IconCopy} size="xs" aria-label={`Copy ${name}`} loading={isCopying} onClick={() => void start()}>
      Copy
    </SmallButton>
  );
}
