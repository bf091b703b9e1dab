import type { Pool } from 'pg';
import { z } from 'zod';
import { readSetting, writeSetting } from '#platform/settings.ts';

const Ports = z.object({ smtpPort: z.number(), httpPort: z.number() });
export type Ports = z.output<typeof Ports>;

const key = 'engine.sandbox_ports';

/** The ports of the last start, so that a sandbox address in a reminder keeps working. */
export async function rememberedPorts(engine: Pool): Promise<Ports> {
  const parsed = Ports.safeParse(await readSetting(engine, key));
  return parsed.success ? parsed.data : { smtpPort: 0, httpPort: 0 };
}

export async function rememberPorts(engine: Pool, ports: Ports): Promise<void> {
  await writeSetting(engine, { key, value: ports });
}
