import type { Channel } from '#contract/channels.ts';

/** The recipient field of the test dialog, by type: a webhook needs no recipient, a GET webhook needs a URL. */
export function recipientFieldOf({ type, configuration }: Channel, email: string) {
  switch (type) {
    case 'email':
      return { label: 'Recipient', placeholder: 'you@example.com', begin: email, isRequired: true };
    case 'sms':
    case 'whatsapp':
      return { label: 'Recipient', placeholder: '+1234567890', begin: '', isRequired: true };
    case 'slack':
      return {
        label: 'Recipient',
        placeholder: '#general',
        begin: textOf(configuration.channel),
        isRequired: true,
        help: 'A note for you: Slack posts where the channel is configured to',
      };
    case 'webhook':
      return isGet(configuration)
        ? { label: 'URL', placeholder: 'https://example.com/hook', begin: textOf(configuration.url), isRequired: true }
        : {
            label: 'Recipient',
            placeholder: 'you@example.com',
            begin: '',
            isRequired: false,
            help: 'Named in the request; a URL is called instead of the channel’s own, with its headers and signature at trusted origins only',
          };
    default:
      return type satisfies never;
  }
}

/** The reason why a test cannot be sent, or null. */
export function recipientProblem({ type, configuration }: Channel, recipient: string): string | null {
  if (type !== 'webhook') return recipient.trim() === '' ? 'Recipient required' : null;
  if (!isGet(configuration)) return null;
  const { protocol } = URL.parse(recipient.trim()) ?? { protocol: '' };
  return /^https?:$/.test(protocol) ? null : 'Please provide a valid URL for GET webhook testing';
}

/** The text of a failed test: GET webhooks and WAHA show only the remote error. */
export function failureText({ type, configuration }: Channel, reason: string): string {
  const speaksForItself = (type === 'webhook' && isGet(configuration)) || configuration.provider === 'waha';
  return speaksForItself ? reason : `Failed to send test message. Please check your configuration. ${reason}`;
}

const isGet = (configuration: Channel['configuration']) => configuration.method === 'GET';
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
