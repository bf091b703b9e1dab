import { Button, Card, Center } from '@mantine/core';
import { IconLock, IconPlus, IconTemplate } from '@tabler/icons-react';
import { ApiError } from '#web/api/client.ts';
import type { useTemplates } from '#web/api/templates.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { List } from '#web/ui/List.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { loadFailureOf } from './load-failure.ts';
import { TemplateCard } from './TemplateCard.tsx';
import { TemplateCardSkeleton } from './TemplateCardSkeleton.tsx';
import type { Asked } from './TemplateDialogs.tsx';
import type { TemplateFilter } from './template-filter.ts';

type TemplateListProps = {
  templates: ReturnType<typeof useTemplates>;
  filter: TemplateFilter;
  onCreate: () => void;
  onAsk: (asked: Asked) => void;
};

/** The cards, or the loading, empty or error state. */
export function TemplateList({ templates, filter, onCreate, onAsk }: TemplateListProps) {
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
      <ErrorState
        title={title}
        of={{ error: message === null ? error : new Error(message), refetch: () => refetch(), isFetching: isFetching }}
      />
    </Card>
  );
}
