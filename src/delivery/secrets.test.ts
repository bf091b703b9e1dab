import { describe, expect, it } from 'vitest';
import type { Network } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapters, destinationFieldsOf } from '#delivery/registry.ts';
import { changedFields } from '#domain/secret-destination.ts';
import { otherValues, sampleConfiguration } from '#testing/sample-configuration.ts';
import { envelope, now } from './provider.fixture.ts';

type Configuration = Record<string, unknown>;

const own = 'https://own.example';
const usual = ['+4917012345678', 'ann@example.com'];

/** Recipients that a member could enter to receive a secret. */
const hostile = [
  'https://elsewhere.example/steal',
  'HTTPS://ELSEWHERE.EXAMPLE',
  'https://own.example@elsewhere.example/',
  'https://own.example:pw@elsewhere.example/',
  'https://own.example.elsewhere.example/',
  'https://own.example\\@elsewhere.example/',
  'https://elsewhere.example\\@own.example/',
  'https://elsewhere.example#@own.example',
  'https://elsewhere.example?https://own.example/',
  'https://own.example./',
  'https://own.example:8443/',
  'http://own.example/',
  'http://own.example:443/',
  'https://owń.example/',
  'https://xn--own.example/',
  'https:elsewhere.example',
  'https:/elsewhere.example',
  'https:\\\\elsewhere.example',
  ' https://elsewhere.example',
  'smtp://elsewhere.example',
  'ann@elsewhere.example',
  '#elsewhere',
  '+4917099999999',
];

/** Every provider with secrets, from the list of all: a new one is tested by being in its folder. */
const withSecrets = adapters
  .filter(({ secretFields }) => secretFields.length > 0)
  .map((adapter) => [`${adapter.type}/${adapter.provider}`, adapter] as const);

it('providers with secrets exist for every configured type', () => {
  expect(new Set(withSecrets.map(([, { type }]) => type))).toEqual(
    new Set(['email', 'sms', 'whatsapp', 'webhook', 'slack']),
  );
});

describe.each(withSecrets)('the secrets of %s', (_, adapter) => {
  const configurationWith = (secrets: string) => sampleConfiguration(adapter, { origin: own, secrets });
  const configuration = configurationWith('one');

  /** The destinations whose traffic changes with the secrets. */
  async function whereSecretsGo(changes: Configuration, recipients: readonly string[]): Promise<string[]> {
    const [one, two] = await Promise.all(
      ['one', 'two'].map((secrets) => traffic(adapter, { ...configurationWith(secrets), ...changes }, recipients)),
    );
    const unchanged = new Set(two);
    return [...new Set((one ?? []).filter((call) => !unchanged.has(call)).map((call) => call.split(' ', 1)[0] ?? ''))];
  }

  it('go to the destination of its configuration', async () => {
    const destinations = await whereSecretsGo({}, usual);
    expect(destinations).toHaveLength(1);
    expect(destinations[0]).toMatch(/^(https:\/\/own\.example|own\.example:587,tls)$/);
  });

  it('go nowhere else, whatever a recipient is', async () => {
    const allowed = await whereSecretsGo({}, usual);
    for (const recipient of hostile)
      expect(allowed, recipient).toEqual(expect.arrayContaining(await whereSecretsGo({}, [recipient])));
  });

  it('go elsewhere only by a declared destination field', async () => {
    const recipients = [...usual, 'https://elsewhere.example/hook'];
    const optional = destinationFieldsOf(adapter).filter(({ required, name }) => !required && name in configuration);
    const begins = [{}, ...optional.map(({ name }) => ({ [name]: undefined }))];
    const moving = new Set<string>();
    for (const begin of begins) {
      const before = await whereSecretsGo(begin, recipients);
      for (const field of adapter.fields.filter(({ name }) => !adapter.secretFields.includes(name)))
        for (const value of otherValues(field, 'https://elsewhere.example')) {
          const after = { ...configuration, ...begin, [field.name]: value };
          if (!adapter.shape.safeParse(after).success) continue;
          const destinations = await whereSecretsGo({ ...begin, [field.name]: value }, recipients);
          if (destinations.every((destination) => before.includes(destination))) continue;
          moving.add(field.name);
          const changed = changedFields(destinationFieldsOf(adapter), {
            before: { ...configuration, ...begin },
            after,
          });
          expect(changed, `${field.name}: ${String(value)}`).toContain(field);
        }
    }
    // And every declared field changes it.
    const declared = destinationFieldsOf(adapter).map(({ name }) => name);
    expect([...moving].sort()).toEqual(declared.filter((name) => !adapter.secretFields.includes(name)).sort());
  });
});

/** All that an adapter sends for these recipients and to verify: the destination, then the content. */
async function traffic(adapter: AnyAdapter, configuration: Configuration, recipients: readonly string[]) {
  const calls: string[] = [];
  const config = adapter.shape.parse(configuration);
  const network: Network = {
    now: () => now,
    http: {
      async request({ url, headers, body }) {
        const said = JSON.stringify({ url, headers, body: String(body) });
        calls.push(`${URL.parse(url)?.origin} ${said}`);
        return { kind: 'answer', status: 200, headers: {}, body: '{}', isComplete: true };
      },
      close: async () => {},
    },
    smtp: {
      async send(server, { to }) {
        const { smtp_host: host, smtp_port: port, use_tls: isTls } = server;
        calls.push(`${host}:${port},${isTls ? 'tls' : 'plain'} ${JSON.stringify({ server, to })}`);
        return { kind: 'accepted', response: '250 OK' };
      },
      close: () => {},
    },
  };
  for (const recipient of recipients) await adapter.send({ ...envelope, recipient }, { config, network });
  await adapter.verify?.(config, network);
  return calls;
}
