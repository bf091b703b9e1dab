import { Box, Button, Card, Flex, Group, Stack, Tabs, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFileCode, IconSearchOff } from '@tabler/icons-react';
import { useId, useMemo, useState } from 'react';
import { installationRoutes } from '#contract/installation.ts';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import prose from '#web/ui/prose.module.css';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { TabList } from '#web/ui/TabList.tsx';
import { useApiDocsSearch } from './api-docs-search.ts';
import { ApiDocsContext } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { AuthenticationTab } from './AuthenticationTab.tsx';
import { EndpointDetails } from './EndpointDetails.tsx';
import { LoadedApi } from './LoadedApi.tsx';
import { QuickStartTab } from './QuickStartTab.tsx';
import type { Language } from './request-code.ts';

/** The documentation of the API, made from the server's own description of it. */
export function ApiDocsScreen() {
  const { tab = 'endpoints', change } = useApiDocsSearch();
  const [language, setLanguage] = useState<Language>('curl');
  const [apiKey, setApiKey] = useState('');
  const state = useMemo(() => ({ language, setLanguage, apiKey, setApiKey }), [language, apiKey]);
  return (
    <ApiDocsContext value={state}>
      <PageHeader
        title="API Documentation"
        subtitle="Everything that the screens do, your programs can do"
        actions={
          <Button
            component="a"
            href={installationRoutes.getOpenApi.path}
            target="_blank"
            variant="default"
            leftSection={<IconFileCode size={16} aria-hidden />}
          >
            OpenAPI document
          </Button>
        }
      />
      <Tabs
        value={tab}
        onChange={(chosen) =>
          change({ tab: (['authentication', 'quick-start'] as const).find((known) => known === chosen) })
        }
        keepMounted={false}
      >
        <TabList shown={tab}>
          <Tabs.Tab value="endpoints">Endpoints</Tabs.Tab>
          <Tabs.Tab value="authentication">Authentication</Tabs.Tab>
          <Tabs.Tab value="quick-start">Quick Start</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="endpoints">
          <EndpointsTab />
        </Tabs.Panel>
        <Tabs.Panel value="authentication">
          <AuthenticationTab />
        </Tabs.Panel>
        <Tabs.Panel value="quick-start">
          <QuickStartTab />
        </Tabs.Panel>
      </Tabs>
    </ApiDocsContext>
  );
}

/** Areas with a button; what else there is belongs to All. */
const withButton = (name: string) => name !== 'Other';

/** All endpoints by area; one of them is open. */
const EndpointsTab = () => <LoadedApi>{(areas) => <Endpoints areas={areas} />}</LoadedApi>;

function Endpoints({ areas }: { areas: ApiArea[] }) {
  const { category, search = '', endpoint, change } = useApiDocsSearch();
  const chosen = areas.find(({ name }) => name === category)?.name;
  const shown = matching(areas, { category: chosen, search });
  return (
    <>
      <Flex component="search" gap="8px 16px" align="center" wrap="wrap" justify="space-between" mb="lg">
        <Group className={prose.touch} gap={4} role="group" aria-label="Category">
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
        </Group>
        <SearchBox
          className={classes.search}
          label="Search endpoints..."
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      </Flex>
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
        <Stack gap="xl">
          {shown.map(({ name, description, operations }) => (
            <section key={name} aria-labelledby={`area-${name}`}>
              <Title order={2} id={`area-${name}`}>
                {name}
              </Title>
              <Text mt={2} mb="sm" c="dimmed">
                {description}
              </Text>
              <Card padding={0} component="ul">
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
        </Stack>
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
          <Box component="code" flex="none" w={56} fz="xs" fw={640} c="dimmed">
            {method}
          </Box>
          <span className={classes.endpointWords}>
            <Box className={prose.breaks} component="code" flex="0 1 auto" fz={13} fw={560}>
              {path}
            </Box>
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
