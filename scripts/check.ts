import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { expressionsThatAreSlow } from '#testing/regular-expressions/every-expression.ts';
import { complaintsAboutTerms } from '#testing/terms/private-terms.ts';

/** Runs all static checks in parallel and prints only problems. Needs no database. */
const FIXTURES = 'scripts/fixtures/illegal-import';

const checks: Record<string, () => Promise<string[]>> = {
  format: () => complaintsOf('biome', ['format', '.', '--reporter=summary']),
  lint: () => complaintsOf('oxlint', ['--ignore-pattern', 'scripts/fixtures/**', '--format', 'unix']),
  types: () => complaintsOf('tsc', ['-p', '.', '--pretty', 'false']),
  unused: () => complaintsOf('knip', ['--no-progress']),
  'lint still refuses': () => fixturesNotRefused(),
  'regular expressions': () => expressionsThatAreSlow(),
  terms: () => complaintsAboutTerms(),
};

async function check(): Promise<number> {
  const startedAt = performance.now();
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, complaints]) => ({ name, complaints: await complaints() })),
  );
  const failed = results.filter(({ complaints }) => complaints.length > 0);
  for (const { name, complaints } of failed) console.error(`\n${name}:\n${complaints.join('\n')}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const names = (some: typeof results) => some.map(({ name }) => name).join(', ');
  if (failed.length === 0) console.log(`Check passed in ${seconds} s: ${names(results)}`);
  else console.error(`\nCheck failed in ${seconds} s: ${names(failed)}`);
  return failed.length === 0 ? 0 : 1;
}

async function complaintsOf(program: string, args: string[]): Promise<string[]> {
  const { code, output } = await run(program, args);
  return code === 0 ? [] : [output.trim() || `${program} ended with ${code}`];
}

// A disabled lint rule reports nothing, so each rule has a file that it must refuse.
async function fixturesNotRefused(): Promise<string[]> {
  const { output } = await run('oxlint', [FIXTURES, '--format', 'json']);
  if (!output.startsWith('{')) return [output.trim()];
  const { diagnostics } = Lint.parse(JSON.parse(output));
  const entries = await readdir(FIXTURES, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(FIXTURES, entry));
  if (files.length === 0) return [`There is no file in ${FIXTURES}.`];
  const verdicts = files.map(async (file) => {
    const rule = /^\/\/ Refused by (.+)$/m.exec(await readFile(file, 'utf8'))?.[1];
    const isRefused = diagnostics.some(({ filename, code }) => filename === file && code === rule);
    return isRefused ? [] : [`${file} must be refused by ${rule}, and is not.`];
  });
  return (await Promise.all(verdicts)).flat();
}

const Lint = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

function run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; output: string }>();
  const command = join('node_modules', '.bin', program);
  // The tools start with `env node`, which must find the Node that runs this script.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output }));
  return promise;
}

process.exitCode = await check();
