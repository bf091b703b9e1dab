import { commandNamed } from '#commands/commands.ts';
import { parseConfig } from '#platform/config.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';

/** Runs a command in this process, which takes a tenth of the time: what a terminal sees is seen once of each command. */
export async function runCommand(
  env: Record<string, string>,
  [name = '', ...args]: readonly string[],
): Promise<{ code: number; said: string; complained: string }> {
  const config = parseConfig({ ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ...env }, []);
  const said: string[] = [];
  const answer = (code: number, complained: string) => ({ code, said: said.join('\n').trim(), complained });
  try {
    await commandNamed(name)?.({ config, args, say: (text) => said.push(text), signal: new AbortController().signal });
    return answer(0, '');
  } catch (error) {
    return answer(1, error instanceof Error ? error.message : '');
  }
}
