import { Button, Card, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconSearchOff } from '@tabler/icons-react';
import { useId } from 'react';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useApiDocsSearch } from './api-docs-search.ts';
import prose from '#web/ui/prose.module.css';
import classes from './api-docs.module.css';
import { EndpointDetails } from './EndpointDetails.tsx';
import { LoadedApi } from './LoadedApi.tsx';

/** Areas with a button; what else there is belongs to All. */
const withButton = (name: string) => name !== 'Other';

/** All endpoints by area; one of them is open. */
export const EndpointsTab = () => <LoadedApi>{(areas) => <Endpoints areas={areas} />}</LoadedApi>;

function Endpoints({ areas }: { areas: ApiArea[] }) {
  const { category, search = '', endpoint, change } = useApiDocsSearch();
  const chosen = areas.find(({ name }) => name === category)?.name;
  const shown = matching(areas, { category: chosen, search });
  return (
    <>
      <search className={classes.filters}>
        <div className={classes.categories} role="group" aria-label="Category">
          {[undefined, ...areas.map(({ name }) => name).filter(withButton)].map((name) => (
            <Button
              key={name ?? 'All'}
              size="compact-md"
              variant={name === chosen ? 'filled' : 'default'}
              aria-pressed={name === chosen}
              onClick={() => change({ category: name })}
            >
              {name ?? 'All'}
            </Button>
          ))}
        </div>
        <SearchBox
          className={classes.search}
          label="Search endpoints..."
          value={search}
          onSearch={(text) => change({ search: text || undefined })}
        />
      </search>
      {shown.length === 0 ? (
        <Card>
          <EmptyState
            icon={IconSearchOff}
            title="No endpoints found"
            sentence={`No path and no description ${chosen === undefined ? '' : `of ${chosen} `}contains “${search}”.`}
            action={
              <Button variant="default" onClick={() => change({ search: undefined, category: undefined })}>
                Show all endpoints
              </Button>
            }
          />
        </Card>
      ) : (
        <div className={classes.areas}>
          {shown.map(({ name, description, operations }) => (
            <section key={name} aria-labelledby={`area-${name}`}>
              <Title order={2} id={`area-${name}`}>
                {name}
              </Title>
              <p className={classes.quiet}>{description}</p>
              <Card padding={0} component="ul" className={classes.endpoints}>
                {operations.map((operation) => (
                  <Endpoint
                    key={operation.id}
                    operation={operation}
                    areas={areas}
                    isOpen={operation.id === endpoint}
                    onToggle={() => change({ endpoint: operation.id === endpoint ? undefined : operation.id })}
                  />
                ))}
              </Card>
            </section>
          ))}
        </div>
      )}
    </>
  );
}

function matching(areas: ApiArea[], { category, search }: { category: string | undefined; search: string }): ApiArea[] {
  const words = search.toLowerCase();
  return areas
    .filter(({ name }) => category === undefined || name === category)
    .map((area) => ({
      ...area,
      operations: area.operations.filter(({ method, path, summary }) =>
        `${method} ${path} ${summary}`.toLowerCase().includes(words),
      ),
    }))
    .filter(({ operations }) => operations.length > 0);
}

type EndpointProps = { operation: ApiOperation; areas: ApiArea[]; isOpen: boolean; onToggle: () => void };

/** A row with method, path and purpose, which opens to everything else. */
function Endpoint({ operation, areas, isOpen, onToggle }: EndpointProps) {
  const id = useId();
  const { method, path, summary } = operation;
  return (
    <li className={classes.endpoint} data-endpoint={operation.id}>
      <h3 className={classes.endpointHead}>
        <UnstyledButton
          className={classes.endpointButton}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <IconChevronRight className={classes.chevron} size={16} aria-hidden />
          <code className={classes.method}>{method}</code>
          <span className={classes.endpointWords}>
            <code className={classes.path}>{path}</code>
            <span className={prose.dim}>{summary}</span>
          </span>
        </UnstyledButton>
      </h3>
      {isOpen && (
        <div id={id}>
          <EndpointDetails operation={operation} areas={areas} />
        </div>
      )}
    </li>
  );
}
