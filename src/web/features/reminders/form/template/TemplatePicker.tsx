import { Button, Select, Skeleton, Tabs } from '@mantine/core';
import { IconTemplate, IconWorld } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import { starterTemplates } from '#domain/starter-templates/starter-templates.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { useGallery, useTemplateTexts } from '#web/api/templates.ts';
import { pickerTabs, useFormSearch } from '#web/features/reminders/form/form-search.ts';
import { CategoryBadge } from '#web/features/templates/CategoryBadge.tsx';
import { withSamples } from '#web/features/templates/sample-text.ts';
import { usedText, variablesText } from '#web/features/templates/template-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import entries from '#web/ui/entries.module.css';
import classes from './TemplatePicker.module.css';
import type { Beginning } from './with-template.ts';

type TemplatePickerProps = { opened: boolean; onClose: () => void; onPick: (template: Beginning) => void };

/** The templates to start from: the workspace's own, those of the product, and public ones. */
export default function TemplatePicker({ opened, onClose, onPick }: TemplatePickerProps) {
  const { pick: named = 'own', search = '', category, change } = useFormSearch();
  const own = useTemplateTexts({ search: undefined, category: undefined });
  const [hasChosen, setHasChosen] = useState(false);
  // A workspace without templates begins with the starters.
  const pick = named === 'own' && !hasChosen && own.data?.length === 0 ? 'starters' : named;
  return (
    <Dialog title="Start from a template" opened={opened} onClose={onClose} width={680}>
      <Tabs
        value={pick}
        keepMounted={false}
        onChange={(tab) => {
          setHasChosen(true);
          change({ pick: pickerTabs.find((one) => one === tab) ?? 'own' });
        }}
      >
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="own">Your workspace</Tabs.Tab>
          <Tabs.Tab value="starters">Starters</Tabs.Tab>
          <Tabs.Tab value="public">Public</Tabs.Tab>
        </Tabs.List>
        <search className={classes.filter}>
          <SearchBox
            className={classes.search}
            label="Search templates..."
            value={search}
            onSearch={(text) => change({ search: text })}
          />
          {pick === 'own' && <CategoryFilter chosen={category} onChoose={(id) => change({ category: id })} />}
        </search>
        <Tabs.Panel value="own">
          <OwnTemplates search={search} category={category} onPick={onPick} />
        </Tabs.Panel>
        <Tabs.Panel value="starters">
          <Starters search={search} onPick={onPick} />
        </Tabs.Panel>
        <Tabs.Panel value="public">
          <PublicTemplates search={search} onPick={onPick} />
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

function CategoryFilter({ chosen, onChoose }: { chosen?: string; onChoose: (id: string | undefined) => void }) {
  const { data: categories = [] } = useCategories();
  return (
    <Select
      aria-label="Filter by category"
      data={[
        { value: 'all', label: 'All Categories' },
        ...categories.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      allowDeselect={false}
      value={chosen ?? 'all'}
      onChange={(value) => onChoose(value === null || value === 'all' ? undefined : value)}
    />
  );
}

type OfTemplates = { search: string; onPick: (template: Beginning) => void };

function OwnTemplates({ search, category, onPick }: OfTemplates & { category?: string }) {
  const templates = useTemplateTexts({ search: search || undefined, category });
  const isFiltered = search !== '' || category !== undefined;
  return (
    <Entries
      of={templates}
      empty={
        <EmptyState
          icon={IconTemplate}
          title={isFiltered ? 'No templates found' : 'No templates yet'}
          sentence={
            isFiltered
              ? 'Try adjusting your search or filters'
              : 'Templates of this workspace appear here. Among the starters is one for most occasions.'
          }
        />
      }
    >
      {templates.data?.map((template) => (
        <PickerEntry
          key={template.id}
          template={template}
          note={usedText(template.usage_count)}
          badge={template.category && <CategoryBadge {...template.category} />}
          onPick={onPick}
        />
      ))}
    </Entries>
  );
}

function Starters({ search, onPick }: OfTemplates) {
  const groups = starterTemplates(search);
  if (groups.length === 0)
    return <EmptyState icon={IconTemplate} title="No templates found" sentence="Try adjusting your search" />;
  return (
    <ul aria-label="Templates">
      {groups.flatMap(({ title, templates }) =>
        templates.map(({ slug, ...template }) => (
          // It is none of the workspace's templates, so no use of it is counted.
          <PickerEntry key={slug} template={{ ...template, id: null }} note={title} onPick={onPick} />
        )),
      )}
    </ul>
  );
}

function PublicTemplates({ search, onPick }: OfTemplates) {
  const gallery = useGallery(search);
  return (
    <Entries
      of={gallery}
      empty={
        <EmptyState
          icon={IconWorld}
          title={search === '' ? 'No public templates yet' : 'No templates found'}
          sentence={search === '' ? 'Public templates of other workspaces appear here.' : 'Try adjusting your search'}
        />
      }
    >
      {gallery.data?.map(({ id, ...template }) => (
        <PickerEntry
          key={id}
          // It belongs to another workspace, so this one counts no use of it.
          template={{ ...template, id: null }}
          note={`From ${template.workspace_name}`}
          onPick={onPick}
        />
      ))}
    </Entries>
  );
}

type EntriesProps = {
  of: {
    data?: readonly unknown[];
    isPending: boolean;
    error: Error | null;
    isFetching: boolean;
    refetch: () => unknown;
  } & ComponentProps<typeof LoadMore>['of'];
  empty: ReactNode;
  children: ReactNode;
};

function Entries({ of, empty, children }: EntriesProps) {
  if (of.isPending) return <Skeleton height={200} aria-busy role="status" aria-label="Loading templates" />;
  if (!of.data) return <ErrorState title="Error loading templates" of={of} />;
  if (of.data.length === 0) return empty;
  return (
    <>
      <ul aria-label="Templates">{children}</ul>
      <LoadMore of={of} />
    </>
  );
}

type PickerEntryProps = {
  template: Beginning & Pick<GalleryTemplate, 'description'>;
  note: string;
  badge?: ReactNode;
  onPick: (template: Beginning) => void;
};

/** A template with its text, with sample values, and a button to use it. */
function PickerEntry({ template, note, badge, onPick }: PickerEntryProps) {
  const { name, description, content, variables } = template;
  const listed = variables.variables;
  return (
    <li className={entries.entry} aria-label={name}>
      <div className={classes.head}>
        <div className={entries.words}>
          <h3 className={entries.name}>{name}</h3>
          <div className={classes.note}>
            {badge}
            {channelLooks[content.type].name} · {variablesText(listed.length)} · {note}
          </div>
        </div>
        <Button size="xs" variant="default" aria-label={`Use ${name}`} onClick={() => onPick(template)}>
          Use
        </Button>
      </div>
      {description && <p className={entries.description}>{description}</p>}
      <details className={classes.text}>
        <summary>Preview</summary>
        {content.subject && <p className={entries.subject}>{withSamples(content.subject, listed)}</p>}
        <p>{withSamples(content.body, listed) || '–'}</p>
      </details>
    </li>
  );
}
