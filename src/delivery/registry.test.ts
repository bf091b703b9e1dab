import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChannelType } from '#contract/channel-types.ts';
import { loadAdapters } from './load-adapters.ts';
import { adapterFor, adapters, adaptersOf, splitSecrets } from './registry.ts';
import { adapter as webhook } from './webhook/http.adapter.ts';

describe('the registry of providers', () => {
  it('has the providers of the spec, in its order', () => {
    const listed = (type: ChannelType) => adaptersOf(type).map(({ provider }) => provider);
    expect(listed('email')).toEqual(['smtp']);
    expect(listed('sms')).toEqual(['twilio', 'aws_sns', 'messagebird', 'nexmo']);
    expect(listed('whatsapp')).toEqual(['waha', 'twilio', 'whatsapp_business', 'messagebird']);
    expect(listed('webhook')).toEqual(['http']);
    expect(listed('slack')).toEqual(['webhook', 'bot']);
    expect(listed('push')).toEqual(['web_push']);
  });

  it('finds a provider by type and name, or the first of its type', () => {
    expect(adapterFor('webhook')).toBe(webhook);
    expect(adapterFor('webhook', { provider: 'http' })).toBe(webhook);
    expect(adapterFor('email', { smtp_host: 'a' })?.provider).toBe('smtp');
    expect(adapterFor('email', { provider: 'carrier-pigeon' })).toBeNull();
  });

  it("finds Slack's provider by its method", () => {
    expect(adapterFor('slack', { method: 'bot' })?.provider).toBe('bot');
    expect(adapterFor('slack', { method: 'carrier-pigeon' })).toBeNull();
  });

  it('holds every provider once', () => {
    const names = adapters.map(({ type, provider }) => `${type}/${provider}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('separates the secrets of a configuration from what may be shown', () => {
    const configuration = {
      url: 'https://example.com',
      headers: '{"Authorization": "Bearer t"}',
      secret: '',
      timeout: 5,
    };
    expect(splitSecrets(webhook, configuration)).toEqual({
      shown: { url: 'https://example.com', timeout: 5 },
      secrets: { headers: '{"Authorization": "Bearer t"}' },
    });
  });
});

describe('a provider that is added', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  /** A folder of providers with these files, in which packages resolve. */
  async function folderOf(files: Record<string, string>): Promise<URL> {
    const testsFolder = fileURLToPath(new URL('../../dist/tests/', import.meta.url));
    await mkdir(testsFolder, { recursive: true });
    const folder = await mkdtemp(join(testsFolder, 'added-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return pathToFileURL(`${folder}/`);
  }

  const source = (type: string, provider: string, more = '') => `
    import { z } from 'zod';
    export const adapter = {
      type: '${type}', provider: '${provider}', title: 'Pigeon', shape: z.object({}), secretFields: [], destinationFields: [], fields: [], ${more}
      destinationOf: () => 'loft', send: async () => ({ outcome: 'accepted', receipt: '1', answer: 'coo' }),
    };`;

  it('is one file, found by its place', async () => {
    const folder = await folderOf({
      'sms/pigeon.adapter.ts': source('sms', 'pigeon'),
      'sms/dove.adapter.ts': source('sms', 'dove', 'rank: 1,'),
      'sms/loft.ts': 'throw new Error("only adapters are read");',
      'slack/pigeon.adapter.ts': source('slack', 'pigeon'),
      'fax/pigeon.adapter.ts': 'throw new Error("no such type");',
    });
    const found = await loadAdapters(folder);
    expect(found.map(({ type, provider }) => `${type}/${provider}`)).toEqual([
      'sms/dove',
      'sms/pigeon',
      'slack/pigeon',
    ]);
    const [dove] = found;
    expect(dove?.destinationOf('', {})).toBe('loft');
  });

  it.each([
    ['is of another name', source('sms', 'dove'), /holds sms\/dove, not what its name says$/],
    ['is of another type', source('email', 'pigeon'), /holds email\/pigeon, not what its name says$/],
    ['exports no adapter', 'export const pigeon = {};', /must export its provider as `adapter`$/],
    ['lacks a part', source('sms', 'pigeon', 'title: "",'), /must export its provider as `adapter`$/],
    [
      'does not declare the destination of its secrets',
      source('sms', 'pigeon', 'secretFields: ["key"],'),
      /must export its provider as `adapter`, with the fields that decide where its secrets go$/,
    ],
    [
      'declares a field that its form does not have',
      source('sms', 'pigeon', 'destinationFields: ["loft"],'),
      /must export its provider as `adapter`, with the fields that decide where its secrets go$/,
    ],
  ])('is refused at the start when it %s', async (_, text, message) => {
    await expect(loadAdapters(await folderOf({ 'sms/pigeon.adapter.ts': text }))).rejects.toThrow(message);
  });
});
