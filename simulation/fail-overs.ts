import type { Backend } from '#simulation/backend.ts';
import type { History } from '#simulation/history.ts';
import type { Random } from '#simulation/random.ts';
import type { Scenario } from '#simulation/scenario.ts';
import type { Tables } from '#simulation/tables.ts';

/** What a database may lose that has answered: its last transactions, and, by a worker of an earlier version, a claim whose jobs still run. */
export type FailOvers = {
  /** Called after each transaction of a worker. */
  afterTransaction(): Promise<void>;
  /** The claims that were lost alone. */
  lostClaims: ReadonlySet<string>;
};

export const noFailOvers: FailOvers = { afterTransaction: async () => {}, lostClaims: new Set() };

export function createFailOvers(
  { inside }: Backend,
  {
    scenario,
    history,
    random,
    isChaos,
  }: { scenario: Scenario; history: History; random: Random; isChaos: () => boolean },
): FailOvers {
  if (inside === null) return noFailOvers;
  const { tables, serialize } = inside;
  const lostClaims = new Set<string>();
  /** The state of a standby that has fallen behind. */
  let standby: { tables: Tables; behind: number; until: number } | null = null;

  function failOver({ tables: kept, behind }: NonNullable<typeof standby>): void {
    Object.assign(tables, kept);
    history.record({ kind: 'gap', what: `a fail-over takes back ${behind} transactions` });
    history.count('fail-overs');
  }

  function loseClaim(): void {
    const [id] = random.shuffled([...tables.claims.keys()]);
    if (id === undefined) return;
    tables.claims.delete(id);
    lostClaims.add(id);
    history.record({ kind: 'gap', what: `the claim ${id} is lost` });
    history.count('lost claims');
  }

  return {
    lostClaims,
    afterTransaction: () =>
      serialize(() => {
        if (!isChaos()) return;
        if (standby === null) {
          // Nobody finds the attempts of a job that is cancelled after it has lost its claim.
          if (scenario.actEveryMs === null && random.chance(0.05)) loseClaim();
          if (random.chance(0.05))
            standby = { tables: structuredClone(tables), behind: 0, until: random.between(1, 6) };
          return;
        }
        standby.behind += 1;
        if (standby.behind < standby.until) return;
        failOver(standby);
        standby = null;
      }),
  };
}
