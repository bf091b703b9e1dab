import type { Pool } from 'pg';
import { z } from 'zod';

const Ports = z.object({ smtpPort: z.number(), httpPort: z.number() });
export type Ports = z.output<typeof Ports>;

const key = 'engine.sandbox_ports';

/** The ports of the last start: a sandbox address that somebody wrote into a reminder keeps working. */
export async function rememberedPorts(engine: Pool): Promise<Ports> {
  const { rows } = await engine.query<{ value: unknown }>('select value from app_settings where key = $1', [key]);
  const parsed = Ports.safeParse(rows[0]?.value);
  return parsed.success ? parsed.data : { smtpPort: 0, httpPort: 0 };
}

export async function rememberPorts(engine: Pool, ports: Ports): Promise<void> {
  await engine.query(
    'insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value, updated_at = now()',
    [key, JSON.stringify(ports)],
  );
}
