import { Button, Card, Center, Group, Skeleton } from '@mantine/core';
import { IconFolders, IconLock, IconPlus, IconTemplate, IconWorld } from '@tabler/icons-react';
import type { TemplateCategory } from '#contract/template-categories.ts';
import { ApiError } from '#web/api/client.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { useTemplates } from '#web/api/templates.ts';
import card from '#web/ui/card.module.css';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { List } from '#web/ui/List.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { loadFailureOf } from './load-failure.ts';
import { type TemplateFilter, useTemplateFilter } from './template-filter.ts';
import { TemplateCard } from './TemplateCard.tsx';
import { type Asked, TemplateDialogs, useTemplateDialogs } from './TemplateDialogs.tsx';

/** The templates of the workspace: create, categorise, preview and use them. */
export function TemplatesScreen() {
  const filter = useTemplateFilter();
  const templates = useTemplates({ search: filter.search, category: filter.category });
  const categories = useCategories();
  const dialogs = useTemplateDialogs();
  useErrorToast(templates.data === undefined ? templates.error : null, { title: loadFailureOf(templates.error).title });
  // One toast, where nothing can be loaded.
  useErrorToast(templates.data === undefined ? null : categories.error, { title: 'Error loading categories' });
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
      search={{ label: 'Search templates...', value: search, onSearch: (text) => change({ search: text }) }}
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

type TemplateListProps = {
  templates: ReturnType<typeof useTemplates>;
  filter: TemplateFilter;
  onCreate: () => void;
  onAsk: (asked: Asked) => void;
};

/** The cards, or the loading, empty or error state. */
function TemplateList({ templates, filter, onCreate, onAsk }: TemplateListProps) {
  if (templates.isError && templates.data === undefined) return <NotLoaded templates={templates} />;
  return (
    <List
      noun="templates"
      of={templates}
      grid={{ columns: 3, count: 3, skeleton: TemplateCardSkeleton }}
      card={(template) => <TemplateCard template={template} onAsk={(to) => onAsk({ to, template })} />}
      more={templates.hasNextPage && <More of={templates} />}
      empty={{
        icon: IconTemplate,
        title: 'No templates yet',
        sentence: 'Write a text once, with variables such as {{amount}}, and create reminders from it.',
        action: (
          <>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
              Create your first template
            </Button>
            <Button variant="default" onClick={() => onAsk({ to: 'browse' })}>
              Browse the gallery
            </Button>
          </>
        ),
      }}
      noMatch={
        filter.isOn && {
          title: 'No templates found',
          sentence: 'Try adjusting your search or filters',
          all: 'Show all templates',
          onShowAll: () => filter.change({ search: undefined, category: undefined }),
        }
      }
    />
  );
}

const More = ({ of: { isFetchingNextPage, fetchNextPage } }: { of: TemplateListProps['templates'] }) => (
  <Center mt={24}>
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      Load more
    </Button>
  </Center>
);

function NotLoaded({ templates: { error, refetch, isFetching } }: Pick<TemplateListProps, 'templates'>) {
  const { title, message } = loadFailureOf(error);
  if (error instanceof ApiError && error.status === 401) {
    return (
      <Card>
        <EmptyState
          icon={IconLock}
          title={title}
          sentence="Sign in to see the templates of your workspace."
          action={<ButtonLink to="/auth">Sign In</ButtonLink>}
        />
      </Card>
    );
  }
  return (
    <Card>
      <ErrorState title={title} of={{ error: message === null ? error : new Error(message), refetch, isFetching }} />
    </Card>
  );
}

/** The placeholder of a template card, in the same size to avoid a layout shift. */
function TemplateCardSkeleton() {
  return (
    <Card aria-hidden data-testid="skeleton">
      <Skeleton height={16} width="60%" mt={4} mb={12} />
      <Skeleton height={12} width="90%" mb={4} />
      <Group gap={6} mt="sm">
        <Skeleton height={24} width={84} radius={6} />
        <Skeleton height={24} width={64} radius={6} />
      </Group>
      <Skeleton height={10} width="80%" mt={15} mb={19} />
      <div className={card.actions}>
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={88} />
      </div>
    </Card>
  );
}
