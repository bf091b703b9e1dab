import type { Pool } from 'pg';
import type { Surroundings } from '#sandbox/sandbox.ts';

/** The opt-out and opt-in keywords of carriers and providers. */
const stop = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'];
const start = ['START', 'YES', 'UNSTOP'];

/** Whether the last keyword that the recipient sent to this sender was an opt-out. */
export const createOptOuts =
  (engine: Pool): Surroundings['hasOptedOut'] =>
  async ({ workspaceId, provider, sender, recipient }) => {
    const { rows } = await engine.query<{ is_stop: boolean }>(
      `select upper(btrim(body_text)) = any($5) as is_stop
         from sandbox_messages
        where workspace_id = $1 and provider = $2 and sender = $4 and recipient = $3 and reply_to is not null
          and upper(btrim(body_text)) = any($5 || $6)
        order by received_at desc, id desc
        limit 1`,
      [workspaceId, provider, sender, recipient, stop, start],
    );
    return rows[0]?.is_stop ?? false;
  };
