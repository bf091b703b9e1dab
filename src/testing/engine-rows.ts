import type { FrequencyCap } from '#contract/frequency-cap.ts';
import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { PreferableChannel } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import type { ConsentChannel } from '#contract/consent-channels.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { SendingHours } from '#contract/sending-hours.ts';
import type { Word } from '#domain/newest-consent.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { TenantContext } from '#platform/context.ts';
import type { EngineFixture, TestWorkspace } from '#testing/engine.ts';

/** Suppresses a recipient on this channel, in any spelling of the address. */
export const suppress = (
  fixture: EngineFixture,
  { workspace, channel, recipient }: { workspace: TestWorkspace; channel: ChannelType; recipient: string },
) =>
  fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
    db
      .insertInto('suppressions')
      .values({ workspace_id: workspaceId, channel, recipient: recipientKey(recipient), reason: 'unsubscribed' })
      .execute(),
  );

/** Requires a consent for these channels, and for no other. */
export const requireConsent = (
  fixture: EngineFixture,
  { workspace, channels }: { workspace: TestWorkspace; channels: readonly ConsentChannel[] },
) =>
  fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
    sql`update workspaces set settings = settings || ${JSON.stringify({ consentFor: channels })}::jsonb where id = ${workspaceId}`.execute(
      db,
    ),
  );

/** Writes one word about being written to. Who gives a consent agrees to a text. */
export const sayConsent = (
  fixture: EngineFixture,
  {
    workspace,
    channel,
    recipient,
    word,
  }: { workspace: TestWorkspace; channel: ChannelType; recipient: string; word: Word },
) =>
  fixture.inWorkspace(workspace, async ({ db, workspaceId }) => {
    const text = { workspace_id: workspaceId, id: workspaceId, text: 'Yes, text me.' };
    await db
      .insertInto('consent_texts')
      .values(text)
      .onConflict((known) => known.doNothing())
      .execute();
    const row = { workspace_id: workspaceId, channel, recipient, method: 'member', text_id: text.id } as const;
    await db
      .insertInto('consents')
      .values({ ...row, ...word })
      .execute();
  });

/** Adds an enabled webhook channel to the workspace. Returns its id. */
export const addWebhookChannel = (fixture: EngineFixture, workspace: TestWorkspace): Promise<string> =>
  addChannel(fixture, { workspace, type: 'webhook', configuration: {} });

/** Adds an enabled channel without secrets to the workspace. Returns its id. */
export async function addChannel(
  fixture: EngineFixture,
  {
    workspace,
    type,
    configuration,
    ratePerSecond = null,
  }: {
    workspace: TestWorkspace;
    type: 'webhook' | 'sms';
    configuration: Record<string, unknown>;
    ratePerSecond?: number | null;
  },
): Promise<string> {
  const id = randomUUIDv7();
  await fixture.inWorkspace(workspace, ({ db, workspaceId, now }) =>
    db
      .insertInto('channels')
      .values({
        id,
        workspace_id: workspaceId,
        name: 'Hooks',
        type,
        configuration: JSON.stringify(configuration),
        rate_limit_per_second: ratePerSecond,
        updated_at: now.toString(),
      })
      .execute(),
  );
  return id;
}

export const switchOff = (fixture: EngineFixture, { workspace, id }: { workspace: TestWorkspace; id: string }) =>
  fixture.inWorkspace(workspace, ({ db, now }) =>
    db.updateTable('channels').set({ is_active: false, updated_at: now.toString() }).where('id', '=', id).execute(),
  );

/** Limits webhooks to Monday to Friday, 08:00 to 20:00 in Berlin, with the test's changes. */
export const setSendingHours = (
  fixture: EngineFixture,
  { workspace, ...changes }: { workspace: TestWorkspace } & { [Key in keyof SendingHours]?: unknown },
) =>
  fixture.inWorkspace(workspace, ({ db, workspaceId }) => {
    const sendingHours = {
      enabled: true,
      days: [1, 2, 3, 4, 5],
      from: '08:00',
      to: '20:00',
      zone: 'recipient',
      timezone: 'Europe/Berlin',
      channels: ['webhook'],
      ...changes,
    };
    return sql`update workspaces set settings = settings || ${JSON.stringify({ sendingHours })}::jsonb
      where id = ${workspaceId}`.execute(db);
  });

type Known = {
  timezone?: string;
  name?: string;
  email?: string;
  phone?: string;
  preferred_channel?: PreferableChannel;
  variables?: Record<string, string>;
};

const keyOf = ({ email }: Known) => (email === undefined ? {} : { email_key: emailKey(email) });

/** Adds a contact to the workspace. Returns its id. */
export async function addContact(
  fixture: EngineFixture,
  { workspace, variables = {}, ...known }: Known & { workspace: TestWorkspace },
): Promise<string> {
  const id = randomUUIDv7();
  await fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
    db
      .insertInto('contacts')
      .values({ id, workspace_id: workspaceId, ...known, ...keyOf(known), variables: JSON.stringify(variables) })
      .execute(),
  );
  return id;
}

export const changeContact = (
  fixture: EngineFixture,
  { workspace, id, variables, ...known }: Known & { workspace: TestWorkspace; id: string },
) =>
  fixture.inWorkspace(workspace, ({ db }) =>
    db
      .updateTable('contacts')
      .set({ ...known, ...keyOf(known), variables: JSON.stringify(variables ?? {}) })
      .where('id', '=', id)
      .execute(),
  );

/** The occurrences that the workspace has sent this month. */
export async function usageOf(fixture: EngineFixture, workspace: TestWorkspace): Promise<number> {
  const rows = await fixture.inWorkspace(workspace, ({ db }) =>
    db.selectFrom('monthly_usage').select('occurrences').orderBy('month', 'desc').limit(1).execute(),
  );
  return rows[0]?.occurrences ?? 0;
}

/** Recipients with a recorded attempt, including attempts in flight. */
export async function begunRecipients({ db }: Pick<TenantContext, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from deliveries where attempts > 0
    union select a.recipient from jobs j cross join lateral running_attempts(j.id) a where j.status = 'running'`.execute(
    db,
  );
  return rows.map((row) => row.recipient);
}

/** Removes the values of every reminder, as when contacts are deleted: it could not be activated without them. */
export const forgetValues = (fixture: EngineFixture, workspace: TestWorkspace) =>
  fixture.inWorkspace(workspace, ({ db }) =>
    sql`update reminders set content = (content::jsonb - 'values')::json`.execute(db),
  );

/** Lets one address have this many messages, by days in Berlin. */
export const setFrequencyCap = (
  fixture: EngineFixture,
  { workspace, ...changes }: { workspace: TestWorkspace } & Partial<FrequencyCap>,
) =>
  fixture.inWorkspace(workspace, ({ db, workspaceId }) => {
    const frequencyCap = { perDay: null, perWeek: null, timezone: 'Europe/Berlin', ...changes };
    return sql`update workspaces set settings = settings || ${JSON.stringify({ frequencyCap })}::jsonb
      where id = ${workspaceId}`.execute(db);
  });
