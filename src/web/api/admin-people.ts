import { adminPeopleRoutes, type Demos } from '#contract/admin-people.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';

const pageSize = 10;

/** Everybody with an account, newest first. */
export const usePeople = ({ search, demos }: { search: string; demos: Demos | undefined }) =>
  usePagedList({
    queryKey: adminKey('people', { search, demos }),
    read: ({ cursor, signal }) =>
      call(adminPeopleRoutes.listPeople, {
        query: { search, demos, limit: pageSize, cursor: cursor || undefined },
        signal,
      }),
    keepsRows: true,
  });

const routes = {
  suspend: adminPeopleRoutes.suspendPerson,
  liftSuspension: adminPeopleRoutes.liftSuspension,
  verify: adminPeopleRoutes.verifyPerson,
  signOut: adminPeopleRoutes.signOutPerson,
  makeAdministrator: adminPeopleRoutes.makeAdministrator,
  removeAdministrator: adminPeopleRoutes.removeAdministrator,
};
export type PersonAct = keyof typeof routes;

/** Acts on a person; resolves after the console shows it. */
export const useActOnPerson = () =>
  useChange([['admin']], ({ act, id }: { act: PersonAct; id: string }) => call(routes[act], { params: { id } }));
