import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, routes } from '#contract/routes.ts';
import { createOpenApiAnswer } from '#http/open-api.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { assertDocumented } from '#testing/documented.ts';
import { sample } from '#testing/sample.ts';
import { sampleRequest } from '#testing/sample-requests.ts';
import { insertMember, insertThings, type Things } from '#testing/sample-rows.ts';
import { type ApiOperation, areasOf } from '#web/api/open-api.ts';
import { type Language, requestCode } from './request-code.ts';
import { exampleInput, requestOf } from './request-input.ts';

const execute = promisify(execFile);

const description = await createOpenApiAnswer(() => ({ version: '1.0.0', url: 'http://localhost:3000' }))(
  new Request('http://localhost/api/openapi.json'),
).json();
const operations = areasOf(description).flatMap((area) => area.operations);

/** Of these the example names things that this workspace does not have: the sample takes its place. */
const namesThings: readonly RouteName[] = ['cancelEvent', 'replayWebhookActivities'];

/** The five that every reader tries first, and one of each kind of answer. */
const first: readonly RouteName[] = [
  'listTemplates',
  'createTemplate',
  'listChannels',
  'sendNotification',
  'createJob',
  'listJobs',
  'getJob',
  'exportContacts',
  'sendEvent',
  'pauseJob',
];

const noTokens = { adminSetup: '', demo: '', accountMail: '' };

const hasPython = spawnSync('python3', ['-c', 'import urllib.request']).status === 0;
if (!hasPython)
  console.warn('\n*** NO PYTHON ON THIS MACHINE: the Python examples of the API documentation were NOT run. ***\n');

describe('the requests of the API documentation', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let folder: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    folder = await mkdtemp(join(tmpdir(), 'cuebird-requests-'));
    // The commands run as they are shown; this adds the status to what they print.
    await writeFile(join(folder, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}"\n');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await cuebird.stop();
  });

  /** A workspace with one of everything, so that no request finds what another one has changed. */
  async function newWorkspace(): Promise<{ things: Things; key: string }> {
    const workspace = await dana.createWorkspace('Elm Street');
    const things = await insertThings(cuebird.owner, { workspace, userId: dana.userId });
    await insertMember(cuebird.owner, things);
    const body = { name: 'Docs', scopes: ['send', 'read', 'manage'] };
    const { json } = await dana.call('POST', '/api/api-keys', { workspace, body });
    return { things, key: json.key };
  }

  /** The code of an endpoint, with ids of things that exist in the place of the example's. */
  function codeOf(language: Language, operation: ApiOperation, things: Things): string {
    const name = operation.id as RouteName;
    const sample = sampleRequest(name, things, noTokens);
    const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]+)')}`);
    const values = pattern.exec(sample.path)?.groups ?? {};
    const example = exampleInput(operation, { id: undefined, templateId: things.template });
    const body = namesThings.includes(name) ? JSON.stringify(sample.body) : example.body;
    const required = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    const search = new URL(sample.path, cuebird.url).searchParams;
    const query = Object.fromEntries(required.map((parameter) => [parameter.name, search.get(parameter.name) ?? '']));
    const request = requestOf(operation, { body, values: { ...example.values, ...values, ...query } });
    expect(request.problem).toBeNull();
    return requestCode(language, {
      ...request,
      url: `${cuebird.url}${request.path}`,
      answer: operation.answer.kind,
    });
  }

  const environment = (key: string) => ({ ...process.env, CUEBIRD_API_KEY: key, CURL_HOME: folder });

  const ended = operations.filter(({ answer }) => answer.kind !== 'stream');
  it.each(
    sample
      .draw(ended, { name: 'requests by curl', count: ended.length / 4 })
      .map((operation) => [operation.id, operation] as const),
  )('runs with curl: %s', async (name, operation) => {
    const { things, key } = await newWorkspace();
    const { stdout } = await execute('sh', ['-c', codeOf('curl', operation, things)], { env: environment(key) });
    const [, text = '', status = ''] = /^(.*)\n(\d{3})$/s.exec(stdout) ?? [];
    expect([Number(status), text]).toEqual([operation.answer.status, text]);
    if (operation.answer.kind !== 'json') return;
    const { method, path } = routes[name as RouteName];
    assertDocumented({ method, path }, { status: Number(status), json: JSON.parse(text) });
  });

  const tried = operations.filter(({ id }) => first.includes(id as RouteName));
  const triedIn = (language: string) =>
    sample
      .draw(tried, { name: `requests in ${language}`, count: 3 })
      .map((operation) => [operation.id, operation] as const);

  it('include the endpoints that every reader tries first', () => {
    expect(tried.map(({ id }) => id).toSorted()).toEqual(first.toSorted());
  });

  it.each(triedIn('TypeScript'))('runs as TypeScript: %s', async (name, operation) => {
    const { things, key } = await newWorkspace();
    const file = join(folder, `${name}.mts`);
    await writeFile(file, codeOf('TypeScript', operation, things));
    const { stdout } = await execute(process.execPath, [file], { env: environment(key) });
    expect(stdout).toMatch(new RegExp(`^${operation.answer.status}\\b`));
  });

  it.skipIf(!hasPython).each(triedIn('Python'))('runs with Python: %s', async (name, operation) => {
    const { things, key } = await newWorkspace();
    const file = join(folder, `${name}.py`);
    await writeFile(file, codeOf('Python', operation, things));
    const { stdout } = await execute('python3', [file], { env: environment(key) });
    expect(stdout).toMatch(new RegExp(`^${operation.answer.status}\\b`));
  });
});
