import { Button } from '@mantine/core';
import { IconFolders, IconPlus, IconWorld } from '@tabler/icons-react';
import { useCategories } from '#web/api/template-categories.ts';
import { useTemplates } from '#web/api/templates.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { loadFailureOf } from './load-failure.ts';
import { TemplateDialogs, useTemplateDialogs } from './TemplateDialogs.tsx';
import { TemplateFilterBar } from './TemplateFilterBar.tsx';
import { TemplateList } from './TemplateList.tsx';
import { useTemplateCommand, useTemplateFilter } from './template-filter.ts';

/** The templates of the workspace: create, categorise, preview and use them. */
export function TemplatesScreen() {
  const filter = useTemplateFilter();
  const templates = useTemplates(filter);
  const categories = useCategories();
  const dialogs = useTemplateDialogs();
  useErrorToast(templates.error, { title: loadFailureOf(templates.error).title });
  useErrorToast(categories.error, { title: 'Error loading categories' });
  const create = () => dialogs.open({ to: 'create', category: filter.category ?? null });
  const command = useTemplateCommand();
  useAsked(command.asked, (asked) => {
    if (asked === 'new') create();
    else dialogs.open({ to: 'categories' });
    command.forget();
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
      <TemplateFilterBar filter={filter} categories={categories.data} />
      <TemplateList templates={templates} filter={filter} onCreate={create} onAsk={dialogs.open} />
      <TemplateDialogs state={dialogs.state} close={dialogs.close} />
    </>
  );
}
