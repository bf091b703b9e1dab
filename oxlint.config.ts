import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** What each module of src may import, besides its own files and packages. */
const modules: Record<string, string[]> = {
  domain: ['contract'],
  platform: ['contract'],
  sandbox: ['contract', 'platform'],
  delivery: ['contract', 'domain', 'platform', 'sandbox'],
  rendering: ['contract', 'domain', 'platform'],
  engine: ['contract', 'domain', 'platform', 'delivery'],
  http: [
    'contract',
    'domain',
    'platform',
    'delivery',
    'features/*/*.service.ts',
    'features/*/*.http.ts',
    'pages/slots.ts',
  ],
  web: ['contract', 'domain'],
  // They load without the web, whose libraries are larger than a page.
  pages: ['contract', 'domain'],
};

/** What each folder of the engine may import of the others, and of the engine's own files: a run knows neither who claims nor who sends it. */
const engine: Record<string, string[]> = {
  run: [],
  limits: ['store.ts', 'run'],
  execution: ['store.ts', 'run', 'limits'],
  claiming: ['store.ts', 'run', 'limits', 'execution'],
  postgres: ['store.ts', 'run'],
  maintenance: ['store.ts', 'run', 'postgres'],
  pause: ['store.ts', 'run', 'postgres', 'maintenance'],
  webhooks: [],
};

/** A feature: of a neighbour only the service, so that each keeps its tables and routes to itself. */
const feature = ['contract', 'domain', 'platform', 'delivery', 'sandbox', 'features/*/*.service.ts'];

const features = readdirSync(new URL('./src/features/', import.meta.url));

const upwards = {
  group: ['../**', '..'],
  message: 'Relative imports stay in the same folder: write #module/file.ts.',
};

const notInBrowsers = {
  group: ['node:*', 'node:*/**', 'pg', 'kysely', 'hono', 'undici'],
  message: 'This also runs in browsers: the clock, the database and the network come as arguments.',
};

/** These pages are quick because they load no library. */
const libraries = {
  group: ['@mantine/**', '@tanstack/**', '@tabler/**', '@fontsource*/**'],
  message: 'The pages of the build use no library.',
};

const contract = {
  group: ['**', '!zod', '!./**', '!#contract/**'],
  message: 'The contract imports itself and zod, nothing else.',
};

function restrictTo(name: string, may: string[]) {
  const specifiers = [name, ...may].map((target) => (target.endsWith('.ts') ? `!#${target}` : `!#${target}/**`));
  return { group: ['#*.ts', '#*/**', ...specifiers], message: `${name} may import: ${[name, ...may].join(', ')}.` };
}

const ofEngine = (may: readonly string[]) => [...(modules.engine ?? []), ...may.map((name) => `engine/${name}`)];

/** A route goes through its service, which alone knows the queries. */
function routeOf(name: string) {
  const { group, message } = restrictTo(`features/${name}`, feature);
  return {
    group: [...group, '#features/**/*.db.ts'],
    message: `${message} A route calls its service, not the queries.`,
  };
}

function restrict(files: string[], patterns: { group: string[]; message: string }[]): OxlintOverride {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'promise', 'unicorn', 'oxc'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: ['dist/**', 'bench/node_modules/**', 'bench/lighthouse/**'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    // Of types too: what two files share belongs below both.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-self-import': 'error',
    'promise/no-multiple-resolved': 'error',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/jsx-key': 'error',
    'react/button-has-type': 'error',
    // Node's own callbacks are called where they are due.
    'promise/no-callback-in-promise': 'off',
    // Objects here are closures: their methods know no `this`.
    'typescript/unbound-method': 'off',
    // The types check says it already.
    'no-unused-vars': 'off',
    // Control characters are what an address or a header must be searched for.
    'no-control-regex': 'off',
  },
  overrides: [
    restrict(['**/src/contract/**'], [contract]),
    ...Object.entries(modules).map(([name, may]) => {
      const runsInBrowsers = ['domain', 'web', 'pages'].includes(name);
      return restrict(
        [`**/src/${name}/**`],
        [
          restrictTo(name, may),
          upwards,
          ...(runsInBrowsers ? [notInBrowsers] : []),
          ...(name === 'pages' ? [libraries] : []),
        ],
      );
    }),
    restrict(['**/src/engine/store.ts'], [restrictTo('engine/store.ts', ofEngine(['run'])), upwards]),
    ...Object.entries(engine).map(([name, may]) =>
      restrict([`**/src/engine/${name}/**`], [restrictTo(`engine/${name}`, ofEngine(may)), upwards]),
    ),
    ...features.flatMap((name) => [
      restrict([`**/src/features/${name}/**`], [restrictTo(`features/${name}`, feature), upwards]),
      restrict([`**/src/features/${name}/*.http.ts`], [routeOf(name), upwards]),
    ]),
    {
      files: ['**/*.test.ts', 'src/testing/**', 'simulation/**'],
      rules: {
        'no-restricted-imports': ['error', { patterns: [upwards] }],
        'typescript/consistent-type-assertions': 'off',
        'typescript/no-explicit-any': 'off',
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
      },
    },
    { files: ['e2e/**'], rules: { 'no-restricted-imports': 'off' } },
  ],
});
