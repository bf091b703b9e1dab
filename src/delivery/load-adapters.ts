import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { ChannelField } from '#contract/channels.ts';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { Adapter } from '#delivery/adapter.ts';

/** An adapter whose configuration is known only to its own `shape`. */
export type AnyAdapter = Adapter<unknown>;

/**
 * Loads the providers from `<folder>/<type>/<provider>.adapter.ts`. Adding a provider means adding its file.
 * @throws Error naming a file that exports no adapter, or one that does not match its path
 */
export async function loadAdapters(folder: URL): Promise<AnyAdapter[]> {
  const found = await Promise.all(channelTypes.map((type) => loadType(type, new URL(`${type}/`, folder))));
  return found.flat();
}

async function loadType(type: ChannelType, folder: URL): Promise<AnyAdapter[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(suffix)).sort();
  const loaded = await Promise.all(
    names.map((name) => loadFile(new URL(name, folder), { type, provider: name.slice(0, -suffix.length) })),
  );
  return loaded.sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity));
}

const suffix = '.adapter.ts';

async function loadFile(file: URL, identity: { type: ChannelType; provider: string }): Promise<AnyAdapter> {
  const loaded: { adapter?: unknown } = await import(file.href);
  const { adapter } = loaded;
  if (!isAdapter(adapter)) throw new Error(`${file.pathname} must export its provider as \`adapter\``);
  if (!declaresDestinations(adapter))
    throw new Error(
      `${file.pathname} must export its provider as \`adapter\`, with the fields that decide where its secrets go`,
    );
  if (adapter.type !== identity.type || adapter.provider !== identity.provider)
    throw new Error(`${file.pathname} holds ${adapter.type}/${adapter.provider}, not what its name says`);
  return adapter;
}

const AdapterShape = z.object({
  type: z.enum(channelTypes),
  provider: z.string().min(1),
  title: z.string().min(1),
  shape: z.instanceof(z.ZodType),
  secretFields: z.array(z.string()),
  destinationFields: z.array(z.string()).or(z.literal('fixed')),
  fields: z.array(ChannelField),
  destinationOf: z.instanceof(Function),
  send: z.instanceof(Function),
});

const isAdapter = (value: unknown): value is AnyAdapter => AdapterShape.safeParse(value).success;

/** `destinationFields` may be empty only for a provider without secrets. */
function declaresDestinations({ secretFields, destinationFields: names, fields }: AnyAdapter): boolean {
  if (names === 'fixed') return true;
  const asked = fields.map(({ name }) => name);
  return names.every((name) => asked.includes(name)) && (names.length > 0 || secretFields.length === 0);
}
