import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { expressionsThatAreSlow } from '#testing/regular-expressions/every-expression.ts';
import { complaintsAboutTerms } from '#testing/terms/private-terms.ts';

/** Runs all static checks in parallel and prints only problems. Needs no database. */
const FIXTURES = 'scripts/fixtures/illegal-import';
/** What the last run knows of the types, so that the next one reads what was changed since. */
const BUILD_INFO = 'node_modules/.cache/check.tsbuildinfo';

const checks: Record<string, () => Promise<string[]>> = {
  format: () => complaintsOf('biome', ['format', '.', '--reporter=summary']),
  lint: () => lintComplaints(),
  types: () => complaintsOf('tsc', ['-p', '.', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', BUILD_INFO]),
  unused: () => complaintsOf('knip', ['--no-progress']),
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
  const { code, output, errors } = await run(program, args);
  return code === 0 ? [] : [`${output}${errors}`.trim() || `${program} ended with ${code}`];
}

/** Of one run over everything, which takes half the time of two. A disabled rule reports nothing, so each has a file that it must refuse. */
async function lintComplaints(): Promise<string[]> {
  const { output, errors } = await run('oxlint', ['--format', 'json']);
  if (!output.startsWith('{')) return [`${output}${errors}`.trim()];
  const { diagnostics } = Lint.parse(JSON.parse(output));
  const found = diagnostics
    .filter(({ filename }) => !filename.startsWith(FIXTURES))
    .map(({ filename, code, message, labels }) => {
      const { line, column } = labels[0]?.span ?? { line: 1, column: 1 };
      return `${filename}:${line}:${column}: ${message} [${code}]`;
    });
  const entries = await readdir(FIXTURES, { recursive: true });
  const files = entries.filter((entry) => entry.endsWith('.ts')).map((entry) => join(FIXTURES, entry));
  if (files.length === 0) return [...found, `There is no file in ${FIXTURES}.`];
  const verdicts = files.map(async (file) => {
    const rule = /^\/\/ Refused by (.+)$/m.exec(await readFile(file, 'utf8'))?.[1];
    const isRefused = diagnostics.some(({ filename, code }) => filename === file && code === rule);
    return isRefused ? [] : [`${file} must be refused by ${rule}, and is not.`];
  });
  return [...found, ...(await Promise.all(verdicts)).flat()];
}

const Lint = z.object({
  diagnostics: z.array(
    z.object({
      code: z.string().optional(),
      filename: z.string(),
      message: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number(), column: z.number() }) })),
    }),
  ),
});

type Ended = { code: number | null; output: string; errors: string };

function run(program: string, args: string[]): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const command = join('node_modules', '.bin', program);
  // The tools start with `env node`, which must find the Node that runs this script.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output, errors }));
  return promise;
}

process.exitCode = await check();
