import { whatsAppFields } from './whatsapp.fields.ts';

export const metaApi = 'https://graph.facebook.com';

export const metaFields = whatsAppFields(
  metaApi,
  {
    api_key: { help: 'A permanent access token of a system user' },
    phone_number_id: { placeholder: '106540352242922', help: 'The ID of the sending number, not the number itself' },
  },
  [
    {
      name: 'template_name',
      label: 'Template Name',
      kind: 'text',
      required: false,
      placeholder: 'reminder',
      help: 'An approved template with one variable, the message: WhatsApp takes nothing else unless the recipient wrote within 24 hours',
    },
    {
      name: 'template_language',
      label: 'Template Language',
      kind: 'text',
      required: false,
      placeholder: 'en_US',
    },
    {
      name: 'app_secret',
      label: 'App Secret',
      kind: 'password',
      required: false,
      help: "Verifies Meta's reports (X-Hub-Signature-256); without it, reports and STOP replies are refused",
    },
    {
      name: 'verify_token',
      label: 'Verify Token',
      kind: 'password',
      required: false,
      help: 'Any text of at least 16 characters; enter the same text in the webhook settings of the app',
    },
  ],
);
