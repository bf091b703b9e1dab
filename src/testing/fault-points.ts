import diagnostics from 'node:diagnostics_channel';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import type { EngineDeps } from '#engine/engine.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { EngineStore } from '#engine/store.ts';

/** The points at which the process can die during a delivery; each leaves a different state behind. */
export const faultPoints = [
  /** The claim is committed, and nothing is sent. */
  'claimed',
  /** The request is sent completely, and its answer has not arrived. */
  'sent',
  /** The answer has arrived, and nothing has processed it. */
  'answered',
  /** The outcomes are written in an open transaction. */
  'before commit',
  /** The outcomes are committed, and nothing has processed that. */
  'committed',
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** Dependencies of an engine whose process is killed (`kill -9`) when it passes a point for the nth time. */
export function dieAt(deps: EngineDeps, { point, passing }: { point: FaultPoint; passing: number }): EngineDeps {
  let passed = 0;
  const pass = () => {
    passed += 1;
    if (passed === passing) process.kill(process.pid, 'SIGKILL');
  };
  switch (point) {
    case 'claimed':
      return { ...deps, store: afterClaims(createPostgresStore(deps.pool), pass) };
    case 'sent':
      diagnostics.subscribe('cuebird:request-sent', pass);
      return deps;
    case 'answered':
      return { ...deps, network: { ...deps.network, http: afterAnswers(deps.network.http, pass) } };
    case 'before commit':
      aroundRecords(deps.pool, { before: pass, after: () => {} });
      return deps;
    case 'committed':
      aroundRecords(deps.pool, { before: () => {}, after: pass });
      return deps;
    default:
      return point satisfies never;
  }
}

function afterClaims(store: EngineStore, pass: () => void): EngineStore {
  return {
    ...store,
    async claim(request, decide) {
      const claim = await store.claim(request, decide);
      if (claim !== null) pass();
      return claim;
    },
  };
}

function afterAnswers(http: EngineDeps['network']['http'], pass: () => void): EngineDeps['network']['http'] {
  return {
    ...http,
    async request(request) {
      const answer = await http.request(request);
      pass();
      return answer;
    },
  };
}

/** Delays the commit of a transaction that writes outcomes until its earlier statements are answered. */
function aroundRecords(pool: Pool, { before, after }: { before: () => void; after: () => void }): void {
  const known = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const send = client.query.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    let written: Promise<unknown> | null = null;
    const query = async (...parts: [QueryConfig | string, ...unknown[]]) => {
      const [statement] = parts;
      if (statement !== 'commit' || written === null) {
        const answer = send(...parts);
        if (typeof statement !== 'string' && isOutcomes(statement)) written = answer;
        return answer;
      }
      const outcomes = written;
      written = null;
      await outcomes;
      before();
      const answer = await send(...parts);
      after();
      return answer;
    };
    client.query = query as PoolClient['query'];
  });
}

const isOutcomes = ({ name }: QueryConfig) => name === 'record-outcomes' || name === 'end-runs';
