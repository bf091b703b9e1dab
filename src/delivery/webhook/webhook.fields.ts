import type { ChannelField } from '#contract/channels.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH'];

export const webhookFields: readonly ChannelField[] = [
  {
    name: 'url',
    label: 'Webhook URL',
    kind: 'text',
    required: true,
    placeholder: 'https://example.com/webhook',
    help: 'Called once per recipient, unless the recipients are URLs of their own. Everybody in the workspace can read it: put keys into the headers',
  },
  {
    name: 'method',
    label: 'HTTP Method',
    kind: 'select',
    required: false,
    default: 'POST',
    options: methods.map((method) => ({ value: method, label: method })),
  },
  {
    name: 'body',
    label: 'Body',
    kind: 'textarea',
    required: false,
    placeholder: '{"message": "{{content}}", "to": "{{recipient}}"}',
    help: 'Sent as entered, with {{content}}, {{recipient}} and others filled in; blank sends the reminder as JSON',
    shown_if: { field: 'method', value: 'POST' },
  },
  {
    name: 'headers',
    label: 'Headers (JSON)',
    kind: 'json',
    required: false,
    placeholder: '{"Authorization": "Bearer token"}',
    help: 'Sent to the webhook URL and to trusted origins only',
  },
  {
    name: 'secret',
    label: 'Secret',
    kind: 'password',
    required: false,
    help: 'At least 16 characters. Signs each request by Standard Webhooks (webhook-signature), to the same addresses as the headers',
  },
  {
    name: 'trusted_origins',
    label: 'Trusted Origins',
    kind: 'textarea',
    required: false,
    placeholder: 'https://hooks.example.com',
    help: 'Origins at which every address gets headers and signature, one per line. A recipient with another URL than the one above is else called without both',
  },
  { name: 'timeout', label: 'Timeout (seconds)', kind: 'number', required: false, default: 30, placeholder: '30' },
];
