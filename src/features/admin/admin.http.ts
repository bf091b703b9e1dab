import type { Pool } from 'pg';
import type { adminAnalyticsRoutes } from '#contract/admin-analytics.ts';
import type { adminLogRoutes } from '#contract/admin-logs.ts';
import type { adminOverviewRoutes } from '#contract/admin-overview.ts';
import type { adminPeopleRoutes } from '#contract/admin-people.ts';
import { type adminSettingsRoutes, type OperatorVariable, operatorVariables } from '#contract/admin-settings.ts';
import type { adminSystemRoutes } from '#contract/admin-system.ts';
import type { adminWorkspaceRoutes } from '#contract/admin-workspaces.ts';
import { installationAnalytics } from '#features/admin/analytics.service.ts';
import { latestExecutions, listLogEntries } from '#features/admin/logs.service.ts';
import { adminOverview } from '#features/admin/overview.service.ts';
import * as people from '#features/admin/people.service.ts';
import { changeSettings, type SettingsPorts } from '#features/admin/settings.service.ts';
import { type SystemPorts, systemState } from '#features/admin/system.service.ts';
import * as workspaces from '#features/admin/workspaces.service.ts';
import { liftSuspension, suspendPerson } from '#features/auth/suspension.service.ts';
import type { PersonContext } from '#platform/context.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type AdminPorts = SystemPorts & {
  /** What of the environment has a value. */
  environment: { readonly [name in OperatorVariable]?: string | undefined };
  /** Connected as the role cuebird_auth, which alone may write to people and settings. */
  auth: SettingsPorts['pool'];
  settings: SettingsPorts['settings'];
};

type AdminRoutes = typeof adminAnalyticsRoutes &
  typeof adminLogRoutes &
  typeof adminOverviewRoutes &
  typeof adminPeopleRoutes &
  typeof adminSettingsRoutes &
  typeof adminSystemRoutes &
  typeof adminWorkspaceRoutes;

/** The administrators' console. */
export function adminHandlers({
  pool,
  dataDir,
  beat,
  auth,
  settings,
  environment,
}: AdminPorts): HandlersOf<AdminRoutes> {
  return {
    getInstallationAnalytics: ({ ctx, query }) => installationAnalytics(ctx, { pool, days: Number(query.days) }),
    listLatestExecutions: ({ ctx }) => latestExecutions(ctx),
    listLogEntries: ({ ctx, query }) => listLogEntries(ctx, query),
    getAdminOverview: ({ ctx, query }) => adminOverview(ctx, { pool, ...query }),
    ...peopleHandlers(auth),
    listOperatorVariables: () => ({
      data: operatorVariables.map((name) => ({ name, is_set: environment[name] !== undefined })),
    }),
    getInstallationSettings: () => settings.current(),
    updateInstallationSettings: ({ ctx, body, clientAddress }) =>
      new AfterCommit(() =>
        changeSettings(
          { pool: auth, settings },
          { actorId: ctx.actor.userId, change: body, clientAddress, now: ctx.now },
        ),
      ),
    // After the commit, since it reads nothing in the request's transaction, whose connection would be held meanwhile.
    getSystemState: ({ ctx }) => new AfterCommit(() => systemState({ pool, dataDir, beat }, ctx.now)),
    listAdministeredWorkspaces: ({ ctx, query }) => workspaces.listWorkspaces(ctx, query),
    getAdministeredWorkspace: ({ ctx, params }) => workspaces.workspaceDetails(ctx, params.id),
    getAdministeredAnalytics: ({ ctx, params }) => workspaces.workspaceAnalytics(ctx, params.id),
    suspendWorkspace: ({ ctx, params }) => workspaces.setSuspended(ctx, { id: params.id, suspends: true }),
    liftWorkspaceSuspension: ({ ctx, params }) => workspaces.setSuspended(ctx, { id: params.id, suspends: false }),
    restoreDeletedWorkspace: ({ ctx, params }) => workspaces.restoreDeleted(ctx, params.id),
  };
}

type Acting = { ctx: PersonContext; params: { id: string }; clientAddress: string };
type Act = Parameters<typeof people.verifyPerson>[0];

function peopleHandlers(pool: Pool): HandlersOf<typeof adminPeopleRoutes> {
  const acting =
    (act: (acted: Act) => Promise<void>) =>
    async ({ ctx, params: { id }, clientAddress }: Acting) => {
      await act({ pool, actorId: ctx.actor.userId, id, clientAddress, now: ctx.now });
      return people.findPerson(ctx, id);
    };
  return {
    listPeople: ({ ctx, query }) => people.listPeople(ctx, query),
    suspendPerson: acting(suspendPerson),
    liftSuspension: acting(liftSuspension),
    verifyPerson: acting(people.verifyPerson),
    signOutPerson: acting(people.signOutPerson),
    makeAdministrator: acting(people.makeAdministrator),
    removeAdministrator: acting(people.removeAdministrator),
  };
}
