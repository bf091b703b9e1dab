import { Card, SimpleGrid, Skeleton, Tabs } from '@mantine/core';
import { IconBuildingOff, IconChartBar } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ActKind } from '#contract/acts.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { ApiError } from '#web/api/client.ts';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { useWorkspaceStream } from '#web/api/stream.ts';
import { isClosed, useWorkspaceDetails } from '#web/api/workspaces.ts';
import { ApiKeys } from '#web/features/api-keys/ApiKeys.tsx';
import ClosedWorkspace from '#web/features/workspaces/ClosedWorkspace.tsx';
import { useWorkspaces } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { AdministeredWorkspace } from '#web/features/admin/workspaces/AdministeredWorkspace.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, SectionSkeleton } from '#web/ui/Record.tsx';
import { TabList } from '#web/ui/TabList.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { AuditTab } from './AuditTab.tsx';
import { BillingTab } from './BillingTab.tsx';
import { MembersTab } from './MembersTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { changedOnly, namesOf, type SettingsDraft } from './settings-draft.ts';
import record from '#web/ui/record.module.css';
import { SettingsTab } from './SettingsTab.tsx';

const Webhooks = lazy(() => import('#web/features/webhooks/Webhooks.tsx'));

const Topics = lazy(() => import('#web/features/topics/Topics.tsx'));

const MonthlyReports = lazy(() => import('#web/features/monthly-reports/MonthlyReports.tsx'));

const route = getRouteApi('/themed/signed-in/admin/workspace/$workspaceId/manage');

const back = <BackLink to="/admin">Back to Admin</BackLink>;

/** Members, settings and plan of the workspace in the address, for its members. */
export function ManageScreen() {
  const { workspaceId } = route.useParams();
  const currentId = useRememberedWorkspaceId();
  const workspaces = useWorkspaces();
  const details = useWorkspaceDetails(workspaceId);
  const { data: workspace, error } = details;
  // The list is read again as soon as a membership ends.
  const hasLeft = workspace !== undefined && !workspaces.some(({ id }) => id === workspace.id);
  const isMissing = hasLeft || (error instanceof ApiError && (error.status === 404 || error.status === 400));
  useErrorToast(isMissing ? null : error, { title: 'Error loading workspace' });
  if (isMissing)
    return (
      <AdministeredWorkspace id={workspaceId} back={back}>
        <Frame>
          <EmptyState
            icon={IconBuildingOff}
            title="Workspace not found"
            sentence="It does not exist, or you are not one of its members."
            action={<ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>}
          />
        </Frame>
      </AdministeredWorkspace>
    );
  if (workspace)
    return (
      <>
        {workspace.id !== currentId && <Stream workspaceId={workspace.id} />}
        {isClosed(workspace) ? (
          <ClosedWorkspace workspace={workspace} />
        ) : (
          <Page key={workspace.id} workspace={workspace} />
        )}
      </>
    );
  if (details.isPending)
    return (
      <Frame title="Loading...">
        <ManageSkeleton />
      </Frame>
    );
  return (
    <Frame>
      <ErrorState title="Error loading workspace" of={details} />
    </Frame>
  );
}

const Frame = ({ title = 'Manage workspace', children }: { title?: string; children: ReactNode }) => (
  <>
    <PageHeader title={title} above={back} />
    {children}
  </>
);

/** The tabs, and the first of them. */
const ManageSkeleton = () => (
  <div role="status" aria-busy aria-label="Loading...">
    <Skeleton height={36} mb={16} />
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={16} mb={16}>
      {[1, 2, 3].map((figure) => (
        <Card key={figure} padding={16} aria-hidden>
          <Skeleton height={12} width="60%" my={4} />
          <Skeleton height={24} width="40%" mt={12} mb={4} />
        </Card>
      ))}
    </SimpleGrid>
    <SectionSkeleton />
  </div>
);

/** The layout follows the current workspace only. */
function Stream({ workspaceId }: { workspaceId: string }) {
  useWorkspaceStream(workspaceId);
  return null;
}

const tabNames = {
  overview: 'Overview',
  members: 'Members',
  settings: 'Settings',
  topics: 'Topics',
  keys: 'API keys',
  webhooks: 'Webhooks',
  reports: 'Monthly reports',
  billing: 'Billing',
  audit: 'Audit log',
} as const;

/** Members see Overview, Members and Topics, and change nothing. */
function Page({ workspace }: { workspace: Workspace & { member_count: number } }) {
  const { tab = 'overview', who, kind, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  // Kept here, so that a look at another tab does not lose what was changed and not saved.
  const [draft, setDraft] = useState<SettingsDraft>({});
  const mayChange = workspace.role !== 'member';
  const shown = mayChange || tab === 'members' || tab === 'topics' ? tab : 'overview';
  const choose = (chosen: string | null) =>
    void navigate({
      search: {
        tab: (['members', 'settings', 'topics', 'keys', 'webhooks', 'reports', 'billing', 'audit'] as const).find(
          (known) => known === chosen,
        ),
      },
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        title={workspace.name}
        documentTitle={shown === 'overview' ? workspace.name : `${tabNames[shown]} · ${workspace.name}`}
        subtitle="Members, settings and plan of this workspace"
        above={back}
        actions={
          <ButtonLink
            to="/admin/workspace/$workspaceId/analytics"
            params={{ workspaceId: workspace.id }}
            variant="default"
            leftSection={<IconChartBar size={16} aria-hidden />}
          >
            Analytics
          </ButtonLink>
        }
      />
      <Tabs value={shown} onChange={choose} keepMounted={false}>
        <TabList shown={shown}>
          <Tabs.Tab value="overview">{tabNames.overview}</Tabs.Tab>
          <Tabs.Tab value="members">{tabNames.members}</Tabs.Tab>
          {mayChange && <Tabs.Tab value="settings">{tabNames.settings}</Tabs.Tab>}
          <Tabs.Tab value="topics">{tabNames.topics}</Tabs.Tab>
          {mayChange && <Tabs.Tab value="keys">{tabNames.keys}</Tabs.Tab>}
          {mayChange && <Tabs.Tab value="webhooks">{tabNames.webhooks}</Tabs.Tab>}
          {mayChange && <Tabs.Tab value="reports">{tabNames.reports}</Tabs.Tab>}
          {mayChange && <Tabs.Tab value="billing">{tabNames.billing}</Tabs.Tab>}
          {mayChange && <Tabs.Tab value="audit">{tabNames.audit}</Tabs.Tab>}
        </TabList>
        <Tabs.Panel value="overview">
          <OverviewTab workspace={workspace} />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <MembersTab workspace={workspace} />
        </Tabs.Panel>
        <Tabs.Panel value="topics">
          <div className={record.column}>
            <Suspense fallback={<SectionSkeleton />}>
              <Topics workspaceId={workspace.id} mayChange={mayChange} />
            </Suspense>
          </div>
        </Tabs.Panel>
        {mayChange && (
          <>
            <Tabs.Panel value="settings">
              <SettingsTab workspace={workspace} draft={draft} onChange={setDraft} />
            </Tabs.Panel>
            <Tabs.Panel value="keys">
              <div className={record.column}>
                <ApiKeys workspaceId={workspace.id} />
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="webhooks">
              <div className={record.column}>
                <Suspense fallback={<SectionSkeleton />}>
                  <Webhooks workspaceId={workspace.id} />
                </Suspense>
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="reports">
              <div className={record.column}>
                <Suspense fallback={<SectionSkeleton />}>
                  <MonthlyReports workspaceId={workspace.id} />
                </Suspense>
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="billing">
              <BillingTab workspace={workspace} />
            </Tabs.Panel>
            <Tabs.Panel value="audit">
              <AuditTab
                workspace={workspace}
                filter={{ who, kind: ActKind.options.find((known) => known === kind), from, to }}
                onFilter={(changed) =>
                  void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
                }
              />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
      <UnsavedChanges hasChanges={() => mayChange && namesOf(changedOnly(draft, workspace)).length > 0}>
        Your changes to the settings of {workspace.name} are not saved.
      </UnsavedChanges>
    </>
  );
}
