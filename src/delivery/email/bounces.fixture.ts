import { mailNameOf } from './message-names.ts';

/** The mail that the bounces below are about. */
export const bounced = {
  deliveryId: '019a9d3e-0000-7000-8000-000000000001',
  jobId: '019a9d3e-0000-7000-8000-000000000003',
};
const name = mailNameOf(bounced);
const messageId = `<${name}@elm.example>`;

const sentHeaders = [
  'From: Elm Street <rent@elm.example>',
  'To: Ann <ann@example.com>',
  'Subject: Rent is due',
  `Message-ID: ${messageId}`,
  'Date: Fri, 20 Nov 2026 08:00:00 +0000',
  'MIME-Version: 1.0',
];

type Group = readonly string[];

type Parts = {
  head: readonly string[];
  boundary: string;
  words: string;
  status: readonly Group[];
  /** The type of the part with the returned mail, and its lines. */
  returned?: { type: string; lines: readonly string[] };
};

function report({ head, boundary, words, status, returned }: Parts): string {
  const part = (type: string, body: string) => [`--${boundary}`, `Content-Type: ${type}`, '', body, ''];
  return [
    ...head,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status;`,
    `\tboundary="${boundary}"`,
    '',
    'This is a MIME-encapsulated message.',
    '',
    ...part('text/plain; charset=us-ascii', words),
    ...part('message/delivery-status', status.map((group) => group.join('\r\n')).join('\r\n\r\n')),
    ...(returned === undefined ? [] : part(returned.type, returned.lines.join('\r\n'))),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

type Fields = { action: string; status: string; diagnostic: string };

/** As Postfix writes it: with the ENVID, if it was given one, and the headers of the mail. */
export function fromPostfix(
  { action, status, diagnostic }: Fields,
  { envelopeId = name, returned = sentHeaders }: { envelopeId?: string | null; returned?: readonly string[] } = {},
): string {
  return report({
    head: [
      'Return-Path: <>',
      'Received: by mx.elm.example (Postfix)',
      '\tid 4Fbc12; Fri, 20 Nov 2026 08:00:05 +0000 (UTC)',
      'Date: Fri, 20 Nov 2026 08:00:05 +0000 (UTC)',
      'From: MAILER-DAEMON@mx.elm.example (Mail Delivery System)',
      'Subject: Undelivered Mail Returned to Sender',
      'To: bounces@elm.example',
      'Auto-Submitted: auto-replied',
      'Message-Id: <20261120080005.4Fbc12@mx.elm.example>',
    ],
    boundary: '4FbAAA.1763625605/mx.elm.example',
    words:
      'This is the mail system at host mx.elm.example.\r\n\r\nI am sorry to have to inform you that your message could not\r\nbe delivered to one or more recipients.',
    status: [
      [
        'Reporting-MTA: dns; mx.elm.example',
        ...(envelopeId === null ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
        'X-Postfix-Queue-ID: 4FbAAA',
        'X-Postfix-Sender: rfc822; bounces@elm.example',
        'Arrival-Date: Fri, 20 Nov 2026 08:00:01 +0000 (UTC)',
      ],
      [
        'Final-Recipient: rfc822; ann@example.com',
        'Original-Recipient: rfc822;ann@example.com',
        `Action: ${action}`,
        `Status: ${status}`,
        'Remote-MTA: dns; mx.example.com',
        `Diagnostic-Code: smtp; ${diagnostic}`,
      ],
    ],
    returned: { type: 'text/rfc822-headers', lines: returned },
  });
}

/** As Exim writes it: every status is 5.0.0, and the whole mail is returned. */
export const fromExim = report({
  head: [
    'Return-path: <>',
    'X-Failed-Recipients: ann@example.com',
    'Auto-Submitted: auto-replied',
    'From: Mail Delivery System <Mailer-Daemon@exim.elm.example>',
    'To: bounces@elm.example',
    `References: ${messageId}`,
    'Subject: Mail delivery failed: returning message to sender',
    'Message-Id: <E1tDxyz-000Abc-2B@exim.elm.example>',
  ],
  boundary: '1763625605-eximdsn-1804289383',
  words: 'This message was created automatically by mail delivery software.',
  status: [
    ['Reporting-MTA: dns; exim.elm.example'],
    [
      'Action: failed',
      'Final-Recipient: rfc822;ann@example.com',
      'Status: 5.0.0',
      'Remote-MTA: dns; mx.example.com',
      'Diagnostic-Code: smtp; 550 5.1.1 <ann@example.com>: Recipient address rejected:',
      '  User unknown in virtual mailbox table',
    ],
  ],
  returned: {
    type: 'message/rfc822',
    lines: ['Return-path: <bounces@elm.example>', ...sentHeaders, '', 'Pay, please'],
  },
});

/** As Exchange Online writes it: HTML beside the text, its own codes, and many headers. */
export const fromExchange = report({
  head: [
    'From: <postmaster@outlook.example>',
    'To: <bounces@elm.example>',
    'Subject: Undeliverable: Rent is due',
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'Content-Language: en-GB',
    'X-MS-Exchange-Message-Is-Ndr:',
  ],
  boundary: '_8d2a6a5f-4f3f-47b1-b2a8-1f2f5f6a7b8c_',
  words: 'Your message to ann@example.com couldn’t be delivered.',
  status: [
    ['Reporting-MTA: dns;DB9PR01MB0001.eurprd01.prod.outlook.example', 'Received-From-MTA: dns;mx.elm.example'],
    [
      'Final-Recipient: rfc822;ann@example.com',
      'Action: failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.com not found by SMTP address lookup',
      'X-Display-Name: Ann',
    ],
  ],
  returned: {
    type: 'message/rfc822',
    lines: [
      ...Array.from({ length: 40 }, (_, n) => `X-MS-Exchange-Hop-${n}: ${'a'.repeat(200)}`),
      ...sentHeaders,
      'Content-Type: text/plain',
      '',
      'Pay, please',
    ],
  },
});

/** As Gmail writes it: every line of the diagnostic begins with its code. */
export const fromGmail = report({
  head: [
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
    'To: bounces@elm.example',
    'Auto-Submitted: auto-replied',
    'Subject: Delivery Status Notification (Failure)',
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'X-Failed-Recipients: ann@example.com',
  ],
  boundary: '000000000000a1b2c3063f0d1e2f',
  words: "Address not found\r\n\r\nYour message wasn't delivered to ann@example.com.",
  status: [
    [
      'Reporting-MTA: dns; googlemail.example',
      'Received-From-MTA: dns; bounces@elm.example',
      'Arrival-Date: Fri, 20 Nov 2026 00:00:01 -0800 (PST)',
      'X-Original-Message-ID: <other@elm.example>',
    ],
    [
      'Final-Recipient: rfc822; ann@example.com',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; gmail-smtp-in.l.google.example. (192.0.2.1, the server for the domain)',
      'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try',
      " 550-5.1.1 double-checking the recipient's email address for typos or",
      ' 550 5.1.1 unnecessary spaces.',
      'Last-Attempt-Date: Fri, 20 Nov 2026 00:00:02 -0800 (PST)',
    ],
  ],
});

/** An out-of-office reply (RFC 3834). */
export const autoReply = [
  'From: Ann <ann@example.com>',
  'To: bounces@elm.example',
  'Subject: Out of office: Rent is due',
  'Auto-Submitted: auto-replied',
  `In-Reply-To: ${messageId}`,
  'Content-Type: text/plain',
  '',
  'Status: 5.1.1\r\nAction: failed\r\nI am away until Monday.',
].join('\r\n');

/** A read receipt (RFC 8098), a report of another kind. */
export const readReceipt = fromPostfix({ action: 'failed', status: '5.1.1', diagnostic: '550 no' })
  .replace('report-type=delivery-status', 'report-type=disposition-notification')
  .replace('message/delivery-status', 'message/disposition-notification');
