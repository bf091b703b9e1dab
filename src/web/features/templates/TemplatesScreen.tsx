import { Button } from '@mantine/core';
import { IconFolders, IconPlus, IconWorld } from '@tabler/icons-react';
import type { TemplateCategory } from '#contract/template-categories.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { useTemplates } from '#web/api/templates.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { loadFailureOf } from './load-failure.ts';
import { TemplateDialogs, useTemplateDialogs } from './TemplateDialogs.tsx';
import { TemplateList } from './TemplateList.tsx';
import { type TemplateFilter, useTemplateFilter } from './template-filter.ts';

/** The templates of the workspace: create, categorise, preview and use them. */
export function TemplatesScreen() {
  const filter = useTemplateFilter();
  const templates = useTemplates({ search: filter.search, category: filter.category });
  const categories = useCategories();
  const dialogs = useTemplateDialogs();
  useErrorToast(templates.data === undefined ? templates.error : null, { title: loadFailureOf(templates.error).title });
  useErrorToast(categories.error, { title: 'Error loading categories' });
  const create = () => dialogs.open({ to: 'create', category: filter.category ?? null });
  useAsked(filter.asked, (asked) => {
    if (asked === 'new') create();
    else dialogs.open({ to: 'categories' });
    filter.change({ open: undefined });
  });
  return (
    <>
      <PageHeader
        title="Templates"
        subtitle="Texts that you write once and use again"
        actions={
          <>
            <Button
              variant="default"
              px="sm"
              miw="max-content"
              leftSection={<IconWorld size={16} aria-hidden />}
              onClick={() => dialogs.open({ to: 'browse' })}
            >
              Template gallery
            </Button>
            <Button
              variant="default"
              px="sm"
              miw="max-content"
              leftSection={<IconFolders size={16} aria-hidden />}
              onClick={() => dialogs.open({ to: 'categories' })}
            >
              Manage Categories
            </Button>
            <Button miw="max-content" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              Create Template
            </Button>
          </>
        }
      />
      <Filters filter={filter} categories={categories.data} />
      <TemplateList templates={templates} filter={filter} onCreate={create} onAsk={dialogs.open} />
      <TemplateDialogs state={dialogs.state} close={dialogs.close} />
    </>
  );
}

type FiltersProps = { filter: TemplateFilter; categories: readonly TemplateCategory[] | undefined };

/** Search and category; both are kept in the URL. */
function Filters({ filter: { search, category, change }, categories = [] }: FiltersProps) {
  const choices = categories.map(({ id, name }) => ({ value: id, label: name }));
  // A deleted category, or one that is not loaded yet, has no name to show.
  const isKnown = category === undefined || choices.some(({ value }) => value === category);
  return (
    <FilterBar
      search={{
        label: 'Search templates...',
        value: search,
        onSearch: (text) => change({ search: text || undefined }),
      }}
      choices={[
        {
          label: 'Filter by category',
          all: 'All Categories',
          of: isKnown ? choices : [...choices, { value: category, label: 'Other category' }],
          value: category,
          onChoose: (chosen) => change({ category: chosen }),
        },
      ]}
    />
  );
}
