import { z } from 'zod';
import { EmailInput, Id, InstantText, Page, PageQuery, RequiredName, RequiredText, Text } from '#contract/common.ts';
import { del, get, post, put } from '#contract/route.ts';

export const supportCategories = ['question', 'technical', 'billing', 'account', 'privacy', 'feature'] as const;
export type SupportCategory = (typeof supportCategories)[number];

/** The labels of the categories, in the form and in the console. */
export const supportCategoryNames: Record<SupportCategory, string> = {
  question: 'General question',
  technical: 'Technical problem',
  billing: 'Billing',
  account: 'Account and sign-in',
  privacy: 'Privacy and data',
  feature: 'Feature request',
};

export const supportLimits = { subject: 200, message: 5_000, answer: 10_000 } as const;

/** After how many days requests are deleted. */
export const supportKeptDays = 365;

/** For how many minutes a request without `mailed_at` is tried to be mailed. */
export const supportMailedWithinMinutes = 10;

export const SupportRequestInput = z.strictObject({
  email: EmailInput,
  category: z.enum(supportCategories, 'Choose a category'),
  subject: RequiredName(supportLimits.subject, { missing: 'Enter a subject' }),
  message: RequiredText(supportLimits.message, { missing: 'Enter a message' }),
  /** A field that people do not see: a program that fills it in is recognised, and its request dropped. */
  leave_empty: Text(200).optional(),
});
export type SupportRequestInput = z.output<typeof SupportRequestInput>;

/** Within how many hours an answer is promised, where support is told of a request. */
export const supportAnswerHours = 24;

export const SupportRequest = z.object({
  id: Id,
  /** By which the person who asked and support speak of it. */
  number: z.number().int(),
  email: z.string(),
  category: z.enum(supportCategories),
  subject: z.string(),
  created_at: InstantText,
  /** When its mail to SUPPORT_EMAIL was accepted; null before. */
  mailed_at: InstantText.nullable(),
  /** When an administrator last answered. */
  answered_at: InstantText.nullable(),
  closed_at: InstantText.nullable(),
});
export type SupportRequest = z.output<typeof SupportRequest>;

export const WholeSupportRequest = SupportRequest.extend({
  message: z.string(),
  /** The answers, the earliest first; only the latest 100. */
  answers: z.array(z.object({ id: Id, author: z.string(), message: z.string(), created_at: InstantText })),
});
export type WholeSupportRequest = z.output<typeof WholeSupportRequest>;

/** A request, as the person who sent it sees it. */
export const OwnSupportRequest = WholeSupportRequest.pick({
  number: true,
  category: true,
  subject: true,
  message: true,
  created_at: true,
  closed_at: true,
}).extend({ answers: z.array(z.object({ message: z.string(), created_at: InstantText })) });
export type OwnSupportRequest = z.output<typeof OwnSupportRequest>;

const SubmittedRequest = z.object({
  /** Null for what is recognised as sent by a program. */
  number: z.number().int().nullable(),
  /** Null where nobody is told. */
  answer_hours: z.number().int().nullable(),
  /** Whether the number goes out by mail, too: an installation without a mail server sends none. */
  is_mailed: z.boolean(),
});
export type SubmittedRequest = z.output<typeof SubmittedRequest>;

export const supportRoutes = {
  submitSupportRequest: post('/api/support-requests', {
    inMaintenance: true,
    access: 'public',
    summary: 'Ask support; needs no account',
    body: SupportRequestInput,
    maxBodyKiB: 64,
    answer: SubmittedRequest,
    status: 201,
  }),
  listOwnSupportRequests: get('/api/own-support-requests', {
    access: 'user',
    summary: 'What was asked of support from the confirmed address of the caller, with the answers; the latest 200',
    answer: z.object({ data: z.array(OwnSupportRequest) }),
  }),
  listSupportRequests: get('/api/admin/support-requests', {
    access: 'system_admin',
    summary: 'What people asked support, newest first',
    query: PageQuery.extend({ status: z.enum(['open', 'closed']).default('open') }),
    answer: Page(SupportRequest),
  }),
  getSupportRequest: get('/api/admin/support-requests/:id', {
    access: 'system_admin',
    summary: 'One request with its answers',
    answer: WholeSupportRequest,
  }),
  answerSupportRequest: post('/api/admin/support-requests/:id/answers', {
    access: 'system_admin',
    summary: 'Answer by mail, and close the request where `closes` says so',
    body: z.strictObject({
      message: RequiredText(supportLimits.answer, { missing: 'Enter an answer' }),
      closes: z.boolean(),
    }),
    answer: WholeSupportRequest,
    status: 201,
  }),
  closeSupportRequest: put('/api/admin/support-requests/:id/closure', {
    access: 'system_admin',
    summary: 'Close a request',
    answer: WholeSupportRequest,
  }),
  reopenSupportRequest: del('/api/admin/support-requests/:id/closure', {
    access: 'system_admin',
    summary: 'Open a closed request again',
    answer: WholeSupportRequest,
  }),
};
