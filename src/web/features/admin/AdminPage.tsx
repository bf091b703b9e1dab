import '@mantine/core/styles/Alert.layer.css';
import { Alert, Card, Tabs } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ComponentProps, type ComponentType, lazy, Suspense, useEffect } from 'react';
import { counted } from '#domain/in-words.ts';
import { type AdminOverview, type AdminScope, successRateDays } from '#contract/admin-overview.ts';
import { useOperatorVariables } from '#web/api/admin-settings.ts';
import { useAdminOverview } from '#web/api/admin-overview.ts';
import { ApiError } from '#web/api/client.ts';
import { useTwoFactor } from '#web/api/two-factor.ts';
import { Figures, FiguresSkeleton } from '#web/features/workspaces/analytics/Figures.tsx';
import { peopleText, rateText } from '#web/features/workspaces/analytics/rate-text.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RowsSkeleton } from '#web/ui/RowsSkeleton.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { TabList } from '#web/ui/TabList.tsx';
import { ButtonLink, TextLink } from '#web/ui/links.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import record from '#web/ui/record.module.css';
import { OperatorList } from './OperatorList.tsx';
import { DeliveryPause } from './delivery-pause/DeliveryPause.tsx';

const route = getRouteApi('/themed/signed-in/admin');

type AdminTab = {
  /** In the URL, as `?tab=logs`; the first tab has none. */
  id: string;
  label: string;
  isFor: 'everybody' | 'administrators';
  Content: ComponentType<{ scope: AdminScope }>;
};

/** In their order. */
const tabs: readonly AdminTab[] = [
  { id: 'users', label: 'Users', isFor: 'administrators', Content: lazy(() => import('./users/UsersTab.tsx')) },
  {
    id: 'workspaces',
    label: 'Workspaces',
    isFor: 'everybody',
    Content: lazy(() => import('./workspaces/WorkspacesTab.tsx')),
  },
  {
    id: 'analytics',
    label: 'Analytics',
    isFor: 'administrators',
    Content: lazy(() => import('./analytics/AnalyticsTab.tsx')),
  },
  { id: 'system', label: 'System', isFor: 'administrators', Content: lazy(() => import('./system/SystemTab.tsx')) },
  { id: 'logs', label: 'Logs', isFor: 'everybody', Content: lazy(() => import('./logs/LogsTab.tsx')) },
  { id: 'support', label: 'Support', isFor: 'administrators', Content: lazy(() => import('./support/SupportTab.tsx')) },
  {
    id: 'demo-requests',
    label: 'Demo Requests',
    isFor: 'administrators',
    Content: lazy(() => import('./demo-requests/DemoRequestsTab.tsx')),
  },
  {
    id: 'settings',
    label: 'Settings',
    isFor: 'administrators',
    Content: lazy(() => import('./settings/SettingsTab.tsx')),
  },
];

const failed = 'Error loading admin data';
const subtitles: Record<AdminScope, string> = {
  installation: 'Everybody and everything in this installation',
  workspaces: 'The workspaces that you own or administer',
};

/** The admin console: all of the installation for its administrators, for others the workspaces that they administer. */
export function AdminPage() {
  const found = useAdminOverview();
  const secondFactor = useTwoFactor();
  // Shown together: the notice would push away what is being read. A failure shows no notice.
  const variables = useOperatorVariables({ isAsked: found.data?.scope === 'installation' });
  const isReady =
    found.data !== undefined &&
    (!secondFactor.isPending || secondFactor.failureCount > 0) &&
    (found.data.scope === 'workspaces' || !variables.isPending || variables.failureCount > 0);
  const router = useRouter();
  const lacksSecondFactor = found.error instanceof ApiError && found.error.code === 'two_factor_setup_required';
  useEffect(() => {
    if (!lacksSecondFactor) return;
    const next = router.latestLocation.href;
    void router.navigate({ to: '/auth/two-factor', search: { next }, replace: true });
  }, [lacksSecondFactor, router]);
  const error = lacksSecondFactor ? null : found.error;
  useErrorToast(error, { title: failed });
  const { tab } = route.useSearch();
  const scope = found.data?.scope;
  const offered = tabs.filter(({ isFor }) => isFor === 'everybody' || scope === 'installation');
  const shown = offered.find(({ id }) => id === tab) ?? offered[0];
  const isFirst = scope === undefined || shown === offered[0];
  return (
    <>
      <PageHeader
        title="Admin Console"
        documentTitle={isFirst || shown === undefined ? 'Admin Console' : `${shown.label} · Admin Console`}
        subtitle={scope && subtitles[scope]}
      />
      {isReady && found.data.scope === 'workspaces' && found.data.workspaces === 0 && <NothingToAdminister />}
      {isReady && (found.data.scope === 'installation' || found.data.workspaces > 0) && (
        <Console
          overview={found.data}
          variables={variables.data ?? []}
          requiredAt={secondFactor.data?.required_at ?? null}
          offered={offered}
          shown={shown}
        />
      )}
      {!isReady && error === null && <FiguresSkeleton label="Loading..." count={4} hasTabs />}
      {error !== null && found.data === undefined && <ErrorState title={failed} of={found} />}
    </>
  );
}

/** For a member: figures of nothing would be zeros, and a success rate of 100 %. */
const NothingToAdminister = () => (
  <EmptyState
    icon={IconBuildingOff}
    title="You administer no workspace"
    sentence="The console shows the workspaces that you own or administer. Where you are a member, an owner or admin sees it."
    action={<ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>}
  />
);

function figuresOf({
  users,
  workspaces,
  demos,
  deliveries_today: today,
  success_rate: rate,
  scope,
  reached,
  missed,
}: AdminOverview) {
  const isAll = scope === 'installation';
  const messages = `${reached.toLocaleString('en')} of ${counted(reached + missed, 'message')} sent in ${successRateDays} days`;
  return [
    {
      label: 'Total Users',
      value: users,
      ...(demos > 0 && { note: `${counted(demos, "visitor's demo", "visitors' demos")} left out` }),
    },
    { label: 'Total Workspaces', value: workspaces },
    {
      label: 'Deliveries Today',
      value: today.sent,
      note: `${today.failed.toLocaleString('en')} failed${isAll ? ', by UTC' : ''}`,
    },
    { label: 'Success Rate', value: rateText(rate), note: isAll ? messages : peopleText({ reached, missed }) },
  ];
}

const TabSkeleton = () => (
  <Card padding={0}>
    <RowsSkeleton label="Loading..." />
  </Card>
);

type ConsoleProps = {
  overview: AdminOverview;
  variables: ComponentProps<typeof OperatorList>['variables'];
  /** When the console closes to an administrator without a second factor. */
  requiredAt: string | null;
  offered: readonly AdminTab[];
  shown: AdminTab | undefined;
};

function Console({ overview, variables, requiredAt, offered, shown }: ConsoleProps) {
  const { scope } = overview;
  const navigate = route.useNavigate();
  const [first] = offered;
  const choose = (chosen: string | null) =>
    void navigate({
      search: { tab: chosen === null || chosen === first?.id ? undefined : chosen },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className={record.column}>
      {requiredAt !== null && <AskedForSecondFactor requiredAt={requiredAt} />}
      {scope === 'installation' && <DeliveryPause />}
      <OperatorList variables={variables} />
      <Figures label="Summary" of={figuresOf(overview)} />
      <Tabs value={shown?.id ?? null} onChange={choose} keepMounted={false}>
        <TabList shown={shown?.id}>
          {offered.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        {offered.map(({ id, Content }) => (
          <Tabs.Panel key={id} value={id}>
            <Suspense fallback={<TabSkeleton />}>
              <Content scope={scope} />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

/** Above the console while its reader, an administrator, has no second factor. */
const AskedForSecondFactor = ({ requiredAt }: { requiredAt: string }) => (
  <Alert color="yellow" title="Turn on two-factor authentication">
    Administrators of this installation need it. The console closes to you on <InstantText at={requiredAt} /> unless it
    is on by then.
    <div>
      <TextLink to="/auth/two-factor" search={{ next: '/admin' }}>
        Set it up now
      </TextLink>
    </div>
  </Alert>
);
