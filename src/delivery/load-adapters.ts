import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { ChannelField } from '#contract/channels.ts';
import { type ChannelType, channelTypes } from '#contract/reminders.ts';
import type { Adapter } from '#delivery/adapter.ts';

/** An adapter whose configuration only its own `shape` understands. */
export type AnyAdapter = Adapter<unknown>;

/**
 * Reads the providers from `<folder>/<type>/<provider>.adapter.ts`. To add one is to add its file.
 * @throws Error naming the file that is no adapter, or not the one that its place says
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

async function loadFile(file: URL, place: { type: ChannelType; provider: string }): Promise<AnyAdapter> {
  const loaded: { adapter?: unknown } = await import(file.href);
  const { adapter } = loaded;
  if (!isAdapter(adapter)) throw new Error(`${file.pathname} must export its provider as \`adapter\``);
  if (adapter.type !== place.type || adapter.provider !== place.provider)
    throw new Error(`${file.pathname} holds ${adapter.type}/${adapter.provider}, not what its name says`);
  return adapter;
}

const AdapterShape = z.object({
  type: z.enum(channelTypes),
  provider: z.string().min(1),
  title: z.string().min(1),
  shape: z.instanceof(z.ZodType),
  secretFields: z.array(z.string()),
  fields: z.array(ChannelField),
  destinationOf: z.instanceof(Function),
  send: z.instanceof(Function),
});

const isAdapter = (value: unknown): value is AnyAdapter => AdapterShape.safeParse(value).success;
