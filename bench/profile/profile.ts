import { Client } from 'pg';
import { openCpuProfile, type PartTime } from './cpu-profile.ts';
import { watchStatementNames } from './statement-names.ts';
import { openStatementTimes, type StatementTime } from './statement-times.ts';
import { openWaitingShare } from './waiting-share.ts';

/** Where the processor time of this process and of its statements goes. */
export type Profile = { parts: PartTime[]; statements: StatementTime[] };

/** Measures from now until `close`. The database must be in an observed context. */
export async function openProfile(databaseUrl: string): Promise<{ close(): Promise<Profile> }> {
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  const names = watchStatementNames();
  const times = await openStatementTimes(owner);
  const waiting = await openWaitingShare(owner);
  const cpu = await openCpuProfile();
  return {
    async close() {
      const parts = await cpu.close();
      const share = await waiting.close();
      const statements = await times.read(names);
      await owner.end();
      return { parts, statements: statements.map((one) => ({ ...one, ms: one.ms * (1 - share) })) };
    },
  };
}
