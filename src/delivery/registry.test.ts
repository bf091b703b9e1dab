import { describe, expect, it } from 'vitest';
import { adapterFor, adapters, splitSecrets } from './registry.ts';
import { adapter as webhook } from './webhook/http.adapter.ts';

describe('the registry of providers', () => {
  it('finds a provider by type and name, or the first of its type', () => {
    expect(adapterFor('webhook')).toBe(webhook);
    expect(adapterFor('webhook', { provider: 'http' })).toBe(webhook);
    expect(adapterFor('email', { smtp_host: 'a' })?.provider).toBe('smtp');
    expect(adapterFor('email', { provider: 'carrier-pigeon' })).toBeNull();
  });

  it('holds every provider once', () => {
    const names = adapters.map(({ type, provider }) => `${type}/${provider}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('parts the secrets of a configuration from what may be shown', () => {
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
