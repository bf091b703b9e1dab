import { z } from 'zod';
import { CountryText } from '#contract/contacts.ts';
import {
  Id,
  InstantInput,
  InstantText,
  Page,
  PageQuery,
  RequiredText,
  Text,
  withVisibleAddress,
} from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { consentChannels } from '#contract/consent-channels.ts';
import { get, post } from '#contract/route.ts';
import { coverages, suppressibleChannels, Suppression } from '#contract/suppressions.ts';

/** `lifted`: an entry of the suppression list was taken off it, or narrowed, by a member, a link or an answer START, which is no consent. */
export const consentKinds = ['given', 'withdrawn', 'lifted'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** How it was said: `link` is that of a message, `page` one that the recipient asked for, `member` noted what they were told. */
export const consentMethods = ['import', 'api', 'reply', 'link', 'page', 'member'] as const;
export type ConsentMethod = (typeof consentMethods)[number];

/** How people tell a member. */
export const noteMethods = ['phone', 'writing', 'in_person'] as const;
export type NoteMethod = (typeof noteMethods)[number];

export const consentLimits = {
  batch: 1_000,
  text: 4_000,
  form: 500,
  /** The words of a proof. */
  proof: 1_000,
  /** How often a day an address can undo what it ended by a link. */
  undoneOfDay: 10,
} as const;

/** Where it was said. */
export const ConsentSource = z.object({
  /** How they told the member. */
  how: z.enum(noteMethods).optional(),
  /** The form or page, such as its address. */
  form: z.string().optional(),
  /** The address of the person's own request, as the program reports it. */
  client_address: z.string().optional(),
  /** Of a reply. */
  provider: z.string().optional(),
  message_id: z.string().optional(),
  /** When it was written, by the provider's clock. */
  sent_at: z.string().optional(),
  /** To what an entry was narrowed. */
  narrowed_to: z.string().optional(),
  /** Of an import: the file, the line, and what the member vouched for. */
  file: z.string().optional(),
  line: z.number().int().optional(),
  attestation: z.string().optional(),
});
export type ConsentSource = z.output<typeof ConsentSource>;

/** One word of a person about being written to. */
export const Consent = z.object({
  id: Id,
  workspace_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  kind: z.enum(consentKinds),
  covers: z.enum(coverages),
  /** The topic where `covers` is `topic`, else null. */
  topic_id: Id.nullable(),
  topic_name: z.string().nullable(),
  method: z.enum(consentMethods),
  /** What they agreed to, word for word; null where no text was. */
  text: z.string().nullable(),
  source: ConsentSource,
  /** When they said it. */
  said_at: InstantText,
  /** Who wrote it down, as they were then; `recipient`: they did it themselves. */
  by: z.object({ kind: z.enum(['recipient', 'person', 'api_key']), name: z.string().nullable() }),
  /** Where the request came from. */
  client_address: z.string().nullable(),
  /** When it was written down. */
  created_at: InstantText,
});
export type Consent = z.output<typeof Consent>;

export const ConsentInput = z
  .strictObject({
    channel: z.enum(suppressibleChannels),
    recipient: RequiredText(2_000, { missing: 'Enter an address or a number' })
      .transform((text) => text.trim())
      .superRefine(withVisibleAddress),
    default_country: CountryText.nullable().optional(),
    kind: z.enum(['given', 'withdrawn']),
    covers: z.enum(coverages).default('everything'),
    topic_id: Id.optional(),
    text: RequiredText(consentLimits.text, { missing: 'Enter the text' }).optional(),
    said_at: InstantInput.optional(),
    /** How they told a member: people have to say it. */
    how: z.enum(noteMethods).optional(),
    form: Text(consentLimits.form).optional(),
    client_address: Text(64).optional(),
  })
  .superRefine(({ kind, covers, topic_id: topicId, text }, { addIssue }) => {
    if ((covers === 'topic') !== (topicId !== undefined))
      addIssue({
        code: 'custom',
        path: ['topic_id'],
        message: 'Name a topic where one topic is covered, and nowhere else',
      });
    if (kind === 'given' && text === undefined)
      addIssue({ code: 'custom', path: ['text'], message: 'Enter what they agreed to, word for word' });
  });
export type ConsentInput = z.output<typeof ConsentInput>;

/** What proves the consent of an address or number over a channel. */
export const ConsentProof = z.object({
  /** The name of the workspace, as recipients see it. */
  sender: z.string(),
  channel: z.enum(suppressibleChannels),
  recipient: z.string(),
  /** When this was read. */
  read_at: InstantText,
  /** The ids of the words that count now: no newer one replaces them. Without a consent among them there is none. */
  standing: z.array(Id),
  /** What the suppression list keeps from them now. */
  suppressions: z.array(Suppression),
  /** All that was said, newest first. */
  words: z.array(Consent),
  /** Whether there is more than these thousand words. */
  is_complete: z.boolean(),
});
export type ConsentProof = z.output<typeof ConsentProof>;

/** Of the numbers of contacts, how many have agreed to messages over a channel. A word about one topic counts in `to_topics` where there is no wider consent. */
export const ConsentCount = z.object({
  channel: z.enum(consentChannels),
  numbers: z.number().int(),
  agreed: z.number().int(),
  to_topics: z.number().int(),
  /** Who gets nothing where a consent is required, though the suppression list does not keep it from them. */
  silent: z.number().int(),
});
export type ConsentCount = z.output<typeof ConsentCount>;

/** `known`: the same word was there already. */
const Recorded = z.object({ id: Id, result: z.enum(['recorded', 'known']) });

const ofRecipient = {
  channel: z.enum(channelTypes).optional(),
  kind: z.enum(consentKinds).optional(),
  method: z.enum(consentMethods).optional(),
};

export const consentRoutes = {
  listConsents: get('/api/consents', {
    access: 'member',
    summary: 'List what people said about being written to, what was written down last first',
    query: PageQuery.extend({ ...ofRecipient, recipient: Text(2_000).optional() }),
    answer: Page(Consent),
  }),
  // Members may note what they were told: an opt-out by phone must not wait for an admin.
  recordConsents: post('/api/consents', {
    access: 'member',
    summary:
      'Record consents that people gave or withdrew; who withdraws is put on the suppression list, which no consent ends',
    body: z.strictObject({ consents: z.array(ConsentInput).min(1).max(consentLimits.batch) }),
    answer: z.object({ data: z.array(Recorded) }),
  }),
  countConsents: get('/api/consents/counts', {
    access: 'member',
    summary: 'How many numbers of contacts have agreed to SMS and WhatsApp, and how many have not',
    limit: { usage: 'counts' },
    isCostly: true,
    answer: z.object({ data: z.array(ConsentCount) }),
  }),
  getConsentProof: get('/api/consents/proof', {
    access: 'member',
    summary:
      'What proves the consent of an address or number: all that was said, with text, time and by whom, and what holds now',
    isCostly: true,
    query: z.strictObject({
      channel: z.enum(suppressibleChannels),
      recipient: RequiredText(2_000, { missing: 'Enter an address or a number' }),
    }),
    answer: ConsentProof,
  }),
  exportConsents: get('/api/consents/export', {
    access: 'admin',
    summary: 'Export the record of consents as CSV or JSON, what was written down last first',
    query: z.strictObject({ workspace: Id.optional(), format: z.enum(['csv', 'json']).default('csv'), ...ofRecipient }),
    answer: 'file',
  }),
  listContactConsents: get('/api/contacts/:id/consents', {
    access: 'member',
    summary: 'List what a contact said about being written to, newest first, at its address and its number',
    query: PageQuery,
    answer: Page(Consent),
  }),
};
