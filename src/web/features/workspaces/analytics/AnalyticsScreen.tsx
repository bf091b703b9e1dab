import { Tabs } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import type { Analytics } from '#contract/analytics.ts';
import { useAdministeredAnalytics } from '#web/api/admin-workspaces.ts';
import { useAnalytics } from '#web/api/analytics.ts';
import { isUnknown } from '#web/api/client.ts';
import { isClosed } from '#web/api/workspaces.ts';
import { useWorkspaces } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { typeWords } from '#web/features/jobs/job-words.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, RecordSection } from '#web/ui/Record.tsx';
import { TabList } from '#web/ui/TabList.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import record from '#web/ui/record.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';
import { PartlySentBadge } from '#web/ui/JobBadge.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import list from '#web/ui/list.module.css';
import { DeliveriesTab } from './DeliveriesTab.tsx';
import { Figures, FiguresSkeleton } from './Figures.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { PerformanceTab } from './PerformanceTab.tsx';
import { peopleText, rateText } from './rate-text.ts';
import classes from './analytics.module.css';

const route = getRouteApi('/themed/signed-in/admin/workspace/$workspaceId/analytics');

const tabs = {
  overview: 'Overview',
  performance: 'Performance Analytics',
  jobs: 'Job Performance',
  activity: 'Recent Activity',
  usage: 'Usage Statistics',
  deliveries: 'Deliveries',
} as const;

const back = <BackLink to="/admin">Back to Admin</BackLink>;
const failed = 'Error loading analytics';
const subtitle = 'How well the reminders of this workspace reach people';

/** How well the reminders of the workspace in the address reach people, for its members. */
export function AnalyticsScreen() {
  const { workspaceId } = route.useParams();
  const workspace = useWorkspaces().find(({ id }) => id === workspaceId);
  if (workspace === undefined || isClosed(workspace))
    return (
      <OfOtherWorkspace key={workspaceId} workspaceId={workspaceId}>
        <EmptyState
          icon={IconBuildingOff}
          title="Workspace not found"
          sentence="It does not exist, or you are not one of its members."
          action={<ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>}
        />
      </OfOtherWorkspace>
    );
  return (
    <Frame title={`${workspace.name} Analytics`} subtitle={subtitle}>
      <OwnWorkspace key={workspace.id} workspace={workspace} />
    </Frame>
  );
}

type FrameProps = { title: string; subtitle?: string | undefined; children: ReactNode };

const Frame = ({ title, subtitle: words, children }: FrameProps) => (
  <>
    <PageHeader title={title} subtitle={words} above={back} />
    {children}
  </>
);

/** A workspace that the viewer is no member of, for administrators of the installation; for everybody else the children. */
function OfOtherWorkspace({ workspaceId, children }: { workspaceId: string; children: ReactNode }) {
  const found = useAdministeredAnalytics(workspaceId);
  const title = found.data === undefined ? 'Analytics' : `${found.data.name} Analytics`;
  return (
    <Frame title={title} subtitle={found.data && subtitle}>
      {found.isPending ? (
        <FiguresSkeleton label="Loading..." count={4} hasTabs />
      ) : found.data === undefined && isUnknown(found.error) ? (
        children
      ) : (
        <Page found={found} workspace={null} />
      )}
    </Frame>
  );
}

const OwnWorkspace = ({ workspace }: { workspace: Workspace }) => (
  <Page found={useAnalytics(workspace.id)} workspace={workspace} />
);

type PageProps = {
  found: Pick<ReturnType<typeof useAnalytics>, 'data' | 'error' | 'isPending' | 'isFetching' | 'refetch'>;
  /** Null for administrators of the installation, who see no recipients. */
  workspace: Workspace | null;
};

function Page({ found, workspace }: PageProps) {
  const { tab: asked = 'overview', ...days } = route.useSearch();
  const tab = asked === 'deliveries' && workspace === null ? 'overview' : asked;
  const navigate = route.useNavigate();
  useErrorToast(found.error, { title: failed });
  if (found.isPending) return <FiguresSkeleton label="Loading..." count={4} hasTabs />;
  if (found.data === undefined) return <ErrorState title={failed} of={found} />;
  const { data } = found;
  const rate = { label: 'Success Rate', value: rateText(data.success_rate), note: peopleText(data.people) };
  const choose = (chosen: string | null) =>
    void navigate({
      search: {
        tab: (['performance', 'jobs', 'activity', 'usage', 'deliveries'] as const).find((id) => id === chosen),
      },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={record.column}>
      <Figures
        label="Summary"
        of={[
          { label: 'Total Templates', value: data.templates },
          { label: 'Active Reminders', value: data.active_reminders },
          rate,
          { label: 'Active Members', value: data.members },
        ]}
      />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <TabList shown={tab}>
          {Object.entries(tabs).map(
            ([id, name]) =>
              (id !== 'deliveries' || workspace !== null) && (
                <Tabs.Tab key={id} value={id}>
                  {name}
                </Tabs.Tab>
              ),
          )}
        </TabList>
        <Tabs.Panel value="overview">
          <OverviewTab of={data} />
        </Tabs.Panel>
        <Tabs.Panel value="performance">
          <PerformanceTab of={data} />
        </Tabs.Panel>
        <Tabs.Panel value="jobs">
          <Figures
            label={tabs.jobs}
            of={[
              { label: 'Successful', value: data.jobs.completed },
              { label: 'Failed', value: data.jobs.failed, ...(data.jobs.failed > 0 && { note: 'Or partly sent' }) },
              { label: 'Pending', value: data.jobs.pending },
            ]}
          />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <RecentActivityTab jobs={data.recent_jobs} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <Figures
            label={tabs.usage}
            of={[
              { label: 'Templates', value: data.templates },
              { label: 'Reminders', value: data.reminders },
              { label: 'Jobs', value: data.jobs.total },
              { label: 'Members', value: data.members },
              rate,
            ]}
          />
        </Tabs.Panel>
        {workspace !== null && (
          <Tabs.Panel value="deliveries">
            <DeliveriesTab
              workspace={workspace}
              days={days}
              onDays={(chosen) =>
                void navigate({ search: { tab: 'deliveries', ...chosen }, replace: true, resetScroll: false })
              }
            />
          </Tabs.Panel>
        )}
      </Tabs>
    </div>
  );
}

/** The latest jobs. */
const RecentActivityTab = ({ jobs }: { jobs: Analytics['recent_jobs'] }) => (
  <RecordSection title="Recent Activity">
    {jobs.length === 0 ? (
      <p className={list.none}>No recent activity</p>
    ) : (
      <Table rows={jobs} columns={columns} className={classes.table} />
    )}
  </RecordSection>
);

const columns: readonly Column<Analytics['recent_jobs'][number]>[] = [
  { title: 'Name', cell: ({ name }) => <span className={list.name}>{name}</span> },
  { title: 'Type', cell: ({ type }) => typeWords[type] },
  { title: 'Created', cell: ({ created_at: at }) => <InstantText at={at} show="second" /> },
  {
    title: 'Status',
    cell: ({ status, is_partly_sent: isPartly }) =>
      isPartly ? <PartlySentBadge /> : <StatusBadge kind="job" status={status} />,
  },
];
