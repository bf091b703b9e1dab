import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpText } from '#platform/config.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const found = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];

describe('the files for running Cuebird elsewhere', () => {
  it('copy and start only what there is', () => {
    const dockerfile = read('Dockerfile');
    const copied = found(dockerfile, /^COPY (?!--from)(.*) \S+$/gm).flatMap((paths) => paths.split(' '));
    const used = [
      ...copied,
      ...found([dockerfile, read('deploy/cuebird.service')].join('\n'), /((?:\.\/)?(?:scripts|src|deploy)\/[\w./-]+)/g),
    ];
    expect(used.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
    expect(copied).toContain('package-lock.json');
    // What the image needs is not left out of it.
    const ignored = read('.dockerignore').split('\n');
    // The secrets of compose.yaml, which stand beside it.
    expect(ignored).toContain('.env*');
    expect(['src', 'db', 'scripts', 'deploy', 'docs'].filter((folder) => ignored.includes(folder))).toEqual([]);
  });

  it.each(['Dockerfile', 'compose.yaml', 'deploy/cuebird.service', 'docs/self-hosting.md'])(
    '%s sets only variables that Cuebird reads',
    (file) => {
      const others = ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'NODE_ENV', 'PATH'];
      const known = new Set([...found(helpText(), /\b([A-Z][A-Z_]+)\b/g), ...others]);
      const set = found(read(file), /(?:^\s*(?:Environment=)?|[ ])([A-Z][A-Z_]{2,})(?:=|: )/gm);
      expect(set.length).toBeGreaterThan(0);
      expect(set.filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('run only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const run = found([read('Dockerfile'), read('docs/self-hosting.md')].join('\n'), /npm run ([\w:-]+)/g);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    expect(run).toContain('build');
  });
});

describe('the dashboard for Grafana', () => {
  const token = 'a-token-of-sixteen-and-more';
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { METRICS_TOKEN: token } });
  });
  afterAll(() => cuebird.stop());

  it('shows only figures that /api/metrics has, with labels that they have', async () => {
    // One that is counted.
    await (await cuebird.signUp('Ann')).call('GET', '/api/profile');
    const answer = await fetch(`${cuebird.url}/api/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    const printed = new Set(found(text, /^# TYPE (\w+)/gm));
    const expressions = found(read('deploy/grafana-dashboard.json'), /"expr": "(.*)",$/gm).join('\n');
    const shown = found(expressions, /(cuebird_\w+)/g).map((name) => name.replace(/_(?:bucket|count)$/, ''));
    expect(shown.length).toBeGreaterThan(15);
    // A backup is shown once there is one.
    expect(shown.filter((name) => !printed.has(name))).toEqual(['cuebird_last_backup_timestamp_seconds']);
    const labels = new Set(['le', ...found(text, /[{,](\w+)=/g), 'channel', 'outcome']);
    const grouped = found(expressions, /by \(([^)]*)\)/g).flatMap((names) => names.split(', '));
    expect(grouped.filter((name) => !labels.has(name))).toEqual([]);
  });
});
