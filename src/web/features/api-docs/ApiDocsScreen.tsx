import { Button, Tabs } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { installationRoutes } from '#contract/installation.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { TabList } from '#web/ui/TabList.tsx';
import { useApiDocsSearch } from './api-docs-search.ts';
import { ApiDocsContext } from './api-docs-state.ts';
import { AuthenticationTab } from './AuthenticationTab.tsx';
import { EndpointsTab } from './EndpointsTab.tsx';
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
