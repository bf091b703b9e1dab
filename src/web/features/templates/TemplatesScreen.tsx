import { Button } from '@mantine/core';
import { IconFolders, IconPlus, IconWorld } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useCategories } from '#web/api/template-categories.ts';
import { useTemplates } from '#web/api/templates.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { loadFailureOf } from './load-failure.ts';
import { TemplateDialogs, useTemplateDialogs } from './TemplateDialogs.tsx';
import { TemplateFilterBar } from './TemplateFilterBar.tsx';
import { TemplateList } from './TemplateList.tsx';
import { useTemplateFilter } from './template-filter.ts';

/** The texts of the workspace: written, filed, tried out and used again. */
export function TemplatesScreen() {
  const filter = useTemplateFilter();
  const templates = useTemplates(filter);
  const categories = useCategories();
  const dialogs = useTemplateDialogs();
  useEffect(() => {
    if (templates.error) notifyFailure(loadFailureOf(templates.error).title, templates.error);
  }, [templates.error]);
  useEffect(() => {
    if (categories.error) notifyFailure('Error loading categories', categories.error);
  }, [categories.error]);
  const create = () => dialogs.open({ to: 'create', category: filter.category ?? null });
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
              Public templates
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
      <TemplateFilterBar filter={filter} categories={categories.data} />
      <TemplateList templates={templates} filter={filter} onCreate={create} onAsk={dialogs.open} />
      <TemplateDialogs state={dialogs.state} close={dialogs.close} />
    </>
  );
}
