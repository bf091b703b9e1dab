import { describe, expect, it } from 'vitest';
import type { Channel, ChannelTypeForm } from '#contract/channels.ts';
import {
  changesOf,
  draftOf,
  fieldsOf,
  inputOf,
  isSet,
  missingFrom,
  newDraft,
  storedSecret,
  withType,
} from './draft.ts';

const provider = (name: string, fields: ChannelTypeForm['providers'][number]['fields']) => ({
  provider: name,
  title: name.toUpperCase(),
  fields,
  can_verify: false,
  has_callbacks: false,
});
const text = { kind: 'text', required: true, secret: false, decides_destination: false } as const;
const key = {
  ...text,
  name: 'api_key',
  label: 'API Key',
  kind: 'password',
  secret: true,
} as const;

const types: ChannelTypeForm[] = [
  {
    type: 'webhook',
    provider_field: null,
    providers: [
      provider('http', [
        { ...text, name: 'url', label: 'Webhook URL', decides_destination: true },
        { ...text, name: 'method', label: 'HTTP Method', kind: 'select', required: false, default: 'POST' },
        {
          ...text,
          name: 'body',
          label: 'Body',
          kind: 'textarea',
          required: false,
          shown_if: { field: 'method', value: 'POST' },
        },
        { ...key, name: 'secret', label: 'Secret', required: false },
        { ...text, name: 'timeout', label: 'Timeout', kind: 'number', required: false, default: 30 },
      ]),
    ],
  },
  {
    type: 'whatsapp',
    provider_field: 'provider',
    providers: [
      provider('waha', [
        { ...text, name: 'base_url', label: 'Base URL' },
        { ...key, required: false },
      ]),
      provider('twilio', [key, { ...text, name: 'from', label: 'From', required: false }]),
    ],
  },
];

const stored = (more: Partial<Channel>): Channel => ({
  id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  name: 'Desk',
  type: 'webhook',
  is_active: true,
  is_verified: true,
  configuration: { url: 'https://example.com/', method: 'POST', timeout: 30 },
  secrets_set: ['secret'],
  rate_limit_per_second: null,
  callback_url: null,
  created_by: null,
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
  ...more,
});

const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name);
const webhook = newDraft('webhook');
const whatsapp = newDraft('whatsapp');
const fresh = { types, channel: null };

describe('the form of a channel', () => {
  it('shows the provider first, then the fields of that provider', () => {
    expect(names(fieldsOf(whatsapp, fresh))).toEqual(['provider']);
    const chosen = { ...whatsapp, configuration: { provider: 'waha' } };
    expect(names(fieldsOf(chosen, fresh))).toEqual(['provider', 'base_url', 'api_key']);
    expect(fieldsOf(whatsapp, fresh)[0]?.options).toEqual([
      { value: 'waha', label: 'WAHA' },
      { value: 'twilio', label: 'TWILIO' },
    ]);
  });

  it('shows a body for POST only, and sends only the shown fields', () => {
    const draft = { ...webhook, configuration: { url: 'https://example.com/', body: '{}' } };
    expect(names(fieldsOf(draft, fresh))).toContain('body');
    expect(inputOf(draft, fresh).configuration).toEqual({
      url: 'https://example.com/',
      method: 'POST',
      body: '{}',
      timeout: 30,
    });
    const put = { ...draft, configuration: { ...draft.configuration, method: 'PUT' } };
    expect(names(fieldsOf(put, fresh))).not.toContain('body');
    expect(inputOf(put, fresh).configuration).not.toHaveProperty('body');
  });

  it('finds missing fields: a blank counts as missing, a stored secret does not', () => {
    expect(names(missingFrom({ ...webhook, configuration: { url: '  ' } }, fresh))).toEqual(['url']);
    expect(names(missingFrom(whatsapp, fresh))).toEqual(['provider']);
    const twilio = { ...whatsapp, configuration: { provider: 'twilio' } };
    expect(names(missingFrom(twilio, fresh))).toEqual(['api_key']);
    const channel = stored({ type: 'whatsapp', configuration: { provider: 'twilio' }, secrets_set: ['api_key'] });
    expect(missingFrom(draftOf(channel), { types, channel })).toEqual([]);
    const removed = { ...draftOf(channel), configuration: { provider: 'twilio', api_key: null } };
    expect(names(missingFrom(removed, { types, channel }))).toEqual(['api_key']);
  });

  it('keeps the secrets of its provider only', () => {
    const channel = stored({ type: 'whatsapp', configuration: { provider: 'waha' }, secrets_set: ['api_key'] });
    const frame = { types, channel };
    const secret = { ...key };
    expect(isSet(secret, { draft: draftOf(channel), frame })).toBe(true);
    const other = { ...draftOf(channel), configuration: { provider: 'twilio' } };
    expect(isSet(secret, { draft: other, frame })).toBe(false);
    expect(names(missingFrom(other, frame))).toEqual(['api_key']);
  });

  it('is cleared when the type changes, even when it is changed back', () => {
    const channel = stored({});
    const frame = { types, channel };
    const changed = withType(draftOf(channel), 'whatsapp');
    expect(changed.configuration).toEqual({});
    const back = withType(changed, 'webhook');
    expect(names(missingFrom(back, frame))).toEqual(['url']);
    const again = { ...back, configuration: { url: 'https://example.org/' } };
    expect(changesOf(again, frame)).toEqual({
      name: 'Desk',
      configuration: { url: 'https://example.org/', method: 'POST', secret: null, timeout: 30 },
    });
    expect(withType(changed, 'whatsapp')).toBe(changed);
  });

  it('requires a stored secret again only when its destination changes', () => {
    const channel = stored({});
    const frame = { types, channel };
    const secret = { ...key, name: 'secret', label: 'Secret', required: false };
    const draft = (more: object) => ({
      ...draftOf(channel),
      configuration: { ...draftOf(channel).configuration, ...more },
    });
    const of = (more: object) => storedSecret(secret, { draft: draft(more), frame });
    expect(of({})).toBe('kept');
    expect(of({ method: 'PUT', timeout: 5 })).toBe('kept');
    const url = 'https://example.org/';
    expect(of({ url })).toBe('asked again');
    expect(of({ url, secret: '  ' })).toBe('asked again');
    expect(of({ url, secret: 'another' })).toBe('replaced');
    expect(of({ url, secret: null })).toBe('removed');
    expect(of({ url: ' https://example.com/ ' })).toBe('kept');
    expect(names(missingFrom(draft({ url }), frame))).toEqual(['secret']);
    expect(missingFrom(draft({ url, secret: null }), frame)).toEqual([]);
    expect(missingFrom(draft({ url, secret: 'another' }), frame)).toEqual([]);
  });

  it('sends only changes, so that an unchanged configuration stays verified', () => {
    const channel = stored({});
    const frame = { types, channel };
    const draft = draftOf(channel);
    expect(changesOf({ ...draft, name: ' Front desk ' }, frame)).toEqual({ name: 'Front desk' });
    expect(changesOf({ ...draft, is_active: false }, frame)).toEqual({ name: 'Desk', is_active: false });
    const typed = { ...draft, configuration: { ...draft.configuration, secret: 'another' } };
    expect(changesOf(typed, frame).configuration).toMatchObject({ url: 'https://example.com/', secret: 'another' });
    const removed = { ...draft, configuration: { ...draft.configuration, secret: null } };
    expect(changesOf(removed, frame).configuration).toMatchObject({ secret: null });
    expect(changesOf(withType(draft, 'whatsapp'), frame)).toMatchObject({ type: 'whatsapp', configuration: {} });
  });
});
