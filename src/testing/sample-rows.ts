import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { hashOfToken } from '#platform/token-hash.ts';
import { workspaceToken } from '#platform/workspace-token.ts';
import { samplePicture } from '#testing/sample-picture.ts';
import { sampleCalendar, sampleReminder, sampleRule, sampleTemplate } from '#testing/samples.ts';

/** The objects of a workspace that requests refer to. */
export type Things = {
  workspace: string;
  reminder: string;
  pendingJob: string;
  pausedJob: string;
  failedJob: string;
  /** A run of a reminder that has not begun. */
  runAhead: string;
  /** The execution of the paused job, which was sent to one recipient. */
  execution: string;
  channel: string;
  wahaChannel: string;
  mail: string;
  sms: string;
  /** A reminder that waits for a custom webhook. */
  hookedReminder: string;
  /** A received event and its key. */
  event: string;
  eventKey: string;
  apiKey: string;
  webhook: string;
  /** It has failed. */
  webhookActivity: string;
  calendarFeed: string;
  calendarToken: string;
  calendarSource: string;
  monthlyReport: string;
  contact: string;
  /** An import that can be undone. */
  contactImport: string;
  contactGroup: string;
  suppression: string;
  /** A public template with one version. */
  template: string;
  templateCategory: string;
  topic: string;
  /** A membership; no row has this id until `insertMember` is called, as most tests count their own members. */
  member: string;
  /** The person of this membership, who cannot sign in. */
  person: string;
  /** An invitation and the token of its link; there is none until `insertInvitation` is called. */
  invitation: string;
  invitationToken: string;
  /** A session and a change of address that waits; there are none until `insertAccountThings` is called. */
  device: string;
  emailToken: string;
  paymentPage: string;
};

/** Inserts one of each object into a workspace, as the owner of the database. */
export async function insertThings(
  owner: Client,
  { workspace, userId }: { workspace: string; userId: string },
): Promise<Things> {
  const ids = {
    workspace,
    reminder: randomUUID(),
    pendingJob: randomUUID(),
    pausedJob: randomUUID(),
    failedJob: randomUUID(),
    channel: randomUUID(),
    mail: randomUUID(),
    hookedReminder: randomUUID(),
    eventKey: randomUUID(),
    apiKey: randomUUID(),
  };
  const event = randomUUID();
  const { name, schedule_config: schedule, content, metadata } = sampleReminder;
  await owner.query(
    `with reminder as (
       insert into reminders (id, workspace_id, created_by, name, status, schedule_config, content, metadata)
       values ($2, $1, $11, $12, 'paused', $13, $14, $15), ($8, $1, $11, 'Contact form', 'paused', $16, $14, $15)
     ), jobs as (
       insert into jobs (id, workspace_id, reminder_id, name, type, status, scheduled_for, run_at, paused_at)
       select u.id, $1, $2, 'Rent', 'api_notification', u.status, '2099-01-01Z', '2099-01-01Z', case u.status when 'paused' then now() end
         from (values ($3::uuid, 'pending'), ($4, 'paused'), ($5, 'failed')) as u (id, status)
     ), channel as (
       insert into channels (id, workspace_id, name, type, configuration)
       values ($6, $1, 'Hook', 'webhook', '{"url": "http://127.0.0.1:2/"}')
     ), event as (
       insert into events (id, workspace_id, key, event, request_hash, occurred_at) values ($17, $1, $9, 'user_signup', 'h', now())
       returning id
     ), payload as (
       insert into event_payloads (event_id, workspace_id, payload) select id, $1, '{}' from event
     ), report as (
       insert into received_reports (workspace_id, channel, provider, name, kind, sender, sent_at, received_at)
       values ($1, 'sms', 'twilio', $9, 'stopped', '+15005550006', now(), now())
     ), api_key as (
       insert into api_keys (id, workspace_id, name, role, scopes, prefix, token_hash, owned_by)
       values ($10, $1, 'CRM', 'member', '{send}', 'cue_', $10::uuid::text, $11)
     )
     insert into sandbox_messages (id, workspace_id, channel, sender, recipient, subject, body_text, body_html, raw_size)
     values ($7, $1, 'email', 'a@example.com', 'b@example.com', 'Rent', 'Due', '<p>Due</p>', 3)`,
    [...Object.values(ids), userId, name, schedule, content, metadata, hooked, event],
  );
  const sms = randomUUID();
  await owner.query(
    `insert into sandbox_messages (id, workspace_id, channel, provider, sender, recipient, subject, body_text, segments, raw_size)
     values ($1, $2, 'sms', 'twilio', '+15005550006', '+14155552671', '', 'The rent of June is due.', 1, 100)`,
    [sms, workspace],
  );
  await owner.query(
    `insert into sandbox_simulated_failures (workspace_id, channel, failure) values ($1, 'push', '{"kind": "hang"}')
     on conflict do nothing`,
    [workspace],
  );
  await owner.query(
    `insert into pictures (workspace_id, media_type, sha256, bytes) values ($1, 'image/png', $2, $3)
     on conflict (workspace_id) do nothing`,
    [workspace, samplePicture.sha256, samplePicture.bytes],
  );
  const wahaChannel = randomUUID();
  await owner.query(
    `insert into channels (id, workspace_id, name, type, configuration)
     values ($1, $2, 'Our phone', 'whatsapp', '{"provider": "waha", "base_url": "http://127.0.0.1:2", "session_name": "default"}')`,
    [wahaChannel, workspace],
  );
  const runAhead = randomUUID();
  await owner.query(
    `insert into jobs (id, workspace_id, reminder_id, name, type, status, scheduled_for, run_at, paused_at)
     values ($1, $2, $3, 'Rent', 'event_reminder', 'paused', '2099-01-02Z', '2099-01-02Z', now())`,
    [runAhead, workspace, ids.reminder],
  );
  const execution = randomUUID();
  await owner.query(
    `insert into job_executions (id, workspace_id, job_id, status, started_at) values ($1, $2, $3, 'completed', '2026-01-01Z')`,
    [execution, workspace, ids.pausedJob],
  );
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
     values ($1, $2, '2099-01-01Z', 'email', 'sent@example.com', 'skipped')`,
    [workspace, ids.pausedJob],
  );
  const [contact, suppression] = [randomUUID(), randomUUID()];
  await owner.query('insert into contacts (id, workspace_id, name, email, email_key) values ($1, $2, $3, $4, $4)', [
    contact,
    workspace,
    'Anna Smith',
    `${contact}@example.com`,
  ]);
  await owner.query(
    "insert into suppressions (id, workspace_id, channel, recipient, reason) values ($1, $2, 'email', $3, 'manual')",
    [suppression, workspace, `${suppression}@example.com`],
  );
  const consent = randomUUID();
  await owner.query("insert into consent_texts (workspace_id, id, text) values ($1, $2, 'Text me.')", [
    workspace,
    consent,
  ]);
  await owner.query(
    `insert into consents (id, workspace_id, channel, recipient, kind, method, text_id, said_at)
     values ($1, $2, 'sms', '+4915112345678', 'given', 'api', $1, now())`,
    [consent, workspace],
  );
  await owner.query('insert into preferences (workspace_id, address, hours) values ($1, $2, $3)', [
    workspace,
    `${suppression}@example.com`,
    { days: [1], from: '08:00', to: '20:00', timezone: 'UTC' },
  ]);
  const contactImport = randomUUID();
  await owner.query(
    `insert into contact_import_changes (workspace_id, import_id, contact_id, imported_at) values ($1, $2, $3, now())`,
    [workspace, contactImport, contact],
  );
  const contactGroup = randomUUID();
  await owner.query('insert into contact_groups (id, workspace_id, name, rule) values ($1, $2, $3, $4)', [
    contactGroup,
    workspace,
    `Tenants ${contactGroup}`,
    sampleRule,
  ]);
  const [calendarFeed, calendarToken] = [randomUUID(), workspaceToken(workspace, randomBytes(32))];
  await owner.query(
    `insert into calendar_feeds (id, workspace_id, user_id, shows, token_hash, created_at) values ($1, $2, $3, 'workspace', $4, now())
     on conflict (workspace_id, user_id, shows) do update set id = excluded.id, token_hash = excluded.token_hash`,
    [calendarFeed, workspace, userId, hashOfToken(calendarToken)],
  );
  const monthlyReport = randomUUID();
  await owner.query(
    `insert into monthly_reports (id, workspace_id, address, address_key, created_by, created_at, reported_month)
     values ($1, $2, $3, $3, $4, now(), '2026-01-01')`,
    [monthlyReport, workspace, `${monthlyReport}@example.com`, userId],
  );
  const calendarSource = randomUUID();
  await owner.query(
    `insert into calendar_sources (id, workspace_id, reminder_id, name, file, file_name, offsets, all_day_time, next_read_at, created_at)
     values ($1, $2, $3, 'Team calendar', $4, 'team.ics', '[{"amount": 1, "unit": "days"}]', '09:00', '2099-01-01Z', now())`,
    [calendarSource, workspace, ids.reminder, sampleCalendar],
  );
  const [webhook, webhookActivity] = [randomUUID(), randomUUID()];
  await owner.query(
    `insert into webhooks (id, workspace_id, url, activity_types, created_by, created_at, updated_at)
     values ($1, $2, 'http://127.0.0.1:2/', '{delivery.failed}', $3, now(), now())`,
    [webhook, workspace, userId],
  );
  await owner.query(
    `insert into webhook_activities (id, workspace_id, webhook_id, type, body, occurred_at, expires_at, status, completed_at)
     values ($1, $2, $3, 'delivery.failed', '{}', now(), now(), 'failed', now())`,
    [webhookActivity, workspace, webhook],
  );
  const { template, templateCategory } = await insertTemplate(owner, workspace);
  const topic = randomUUID();
  await owner.query("insert into topics (id, workspace_id, name, kind) values ($1, $2, $3, 'optional')", [
    topic,
    workspace,
    `Rent ${topic.slice(0, 8)}`,
  ]);
  return {
    ...ids,
    event,
    webhook,
    webhookActivity,
    calendarFeed,
    calendarToken,
    calendarSource,
    monthlyReport,
    execution,
    runAhead,
    sms,
    wahaChannel,
    contact,
    contactImport,
    contactGroup,
    suppression,
    template,
    templateCategory,
    topic,
    member: randomUUID(),
    person: randomUUID(),
    invitation: randomUUID(),
    invitationToken: workspaceToken(workspace, randomBytes(32)),
    device: randomUUID(),
    emailToken: randomUUID(),
    paymentPage: `page_${randomUUID()}`,
  };
}

/** Inserts the member of these things, somebody with a picture who cannot sign in. */
export const insertMember = (
  owner: Client,
  { workspace, member, person }: Pick<Things, 'workspace' | 'member' | 'person'>,
) =>
  owner.query(
    `with person as (
       insert into profiles (id, email, full_name) values ($3, $2::text || '@example.com', 'Mia Lane') returning id
     ), picture as (
       insert into pictures (user_id, media_type, sha256, bytes) select id, 'image/png', $4, $5 from person
     )
     insert into workspace_members (id, workspace_id, user_id, role) select $2::text::uuid, $1, id, 'member' from person`,
    [workspace, member, person, samplePicture.sha256, samplePicture.bytes],
  );

/** Inserts the invitation of these things, for an address. */
export const insertInvitation = (
  owner: Client,
  { workspace, invitation, invitationToken: token }: Pick<Things, 'workspace' | 'invitation' | 'invitationToken'>,
  { email }: { email: string },
) =>
  owner.query(
    `insert into workspace_invitations (id, workspace_id, email, role, token_hash, expires_at)
     values ($1, $2, $3, 'member', $4, now() + interval '7 days')`,
    [invitation, workspace, email, hashOfToken(token)],
  );

/** Inserts a second browser of a person, and a change of their address, to the one that they have. */
export const insertAccountThings = (
  owner: Client,
  { device, emailToken, paymentPage }: Pick<Things, 'device' | 'emailToken' | 'paymentPage'>,
  { userId, email }: { userId: string; email: string },
) =>
  owner.query(
    `with device as (
       insert into auth_sessions (id, user_id, token, expires_at) values ($1::uuid, $2, $1::uuid::text, now() + interval '1 day')
     ), customer as (
       insert into billing_customers (user_id, customer_id, created_at, checked_at) values ($2::uuid, 'cus_' || $2::uuid, now(), now())
       on conflict (user_id) do nothing
     ), page as (
       insert into sandbox_payments (id, kind, customer_id, created, body)
       select $5, 'page', 'cus_' || $2::uuid, at, jsonb_build_object(
         'object', 'page', 'id', $5::text, 'customer', 'cus_' || $2::uuid, 'created', at, 'return_url', 'https://cuebird.example/billing',
         'for', jsonb_build_object('kind', 'order', 'price', 'price_sandbox_basic', 'metadata', '{}'::jsonb, 'subscription', null))
         from (select extract(epoch from now())::bigint as at)
     )
     insert into auth_email_changes (user_id, email, token_hash, expires_at) values ($2::uuid, $3, $4, now() + interval '1 day')
     on conflict (user_id) do update set email = excluded.email, token_hash = excluded.token_hash`,
    [device, userId, email, hashOfToken(emailToken), paymentPage],
  );

/** Inserts a template with its category, in a workspace that publishes its public templates. */
async function insertTemplate(owner: Client, workspace: string) {
  const [template, templateCategory] = [randomUUID(), randomUUID()];
  await owner.query(`update workspaces set settings = settings || '{"allowPublicTemplates": true}' where id = $1`, [
    workspace,
  ]);
  await owner.query(
    "insert into template_categories (id, workspace_id, name, color) values ($1, $2, 'Rent', '#ef4444')",
    [templateCategory, workspace],
  );
  await owner.query(
    `with template as (
       insert into templates (id, workspace_id, category_id, is_public, name, description, content, variables)
       values ($1, $2, $3, true, $4, $5, $6, $7)
     )
     insert into template_versions (workspace_id, template_id, version, name, description, content, variables)
     values ($2, $1, 1, $4, $5, $6, $7)`,
    [
      template,
      workspace,
      templateCategory,
      sampleTemplate.name,
      sampleTemplate.description,
      sampleTemplate.content,
      sampleTemplate.variables,
    ],
  );
  return { template, templateCategory };
}

const hooked = { type: 'event-based', eventTrigger: 'custom_webhook', timezone: 'UTC' };
