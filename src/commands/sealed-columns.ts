import { callbackGeneration, callbackToken, callbackTokenField } from '#features/channels/callback-token.ts';
import { openWithAny, sealWith, versionOf } from '#features/auth/auth.secrets.ts';
import { erasedPersonContext } from '#features/erasures/erased-person.ts';
import { urlContext } from '#features/calendar-sources/read-source.service.ts';
import { secretContext } from '#features/events/hooks.service.ts';
import { pushKeysContext, pushKeysName } from '#features/push/push-devices.service.ts';
import { erasureSecretContext } from '#platform/erased-address.ts';
import { signingContext } from '#platform/signing.ts';
import { answerContext } from '#http/idempotency.ts';
import type { SecretBox, SecretContext } from '#platform/secrets.ts';

/** Opens and seals values: with the installation's keys, and the secrets of sign-in derived from them. */
export type Sealers = { box: SecretBox; authSecrets: readonly [string, ...string[]] };

export type SealedColumn = {
  table: string;
  columns: readonly string[];
  /** SQL of a row's sealed texts, as an array. */
  texts: string;
  /** SQL of the columns from which a row's context is made. */
  context: readonly string[];
  /** LIKE patterns of the texts that an older key has sealed. */
  older(sealers: Sealers): string[];
  /** The new values of the columns, and how many of their texts were sealed again. */
  reseal(row: Row, sealers: Sealers): Promise<{ values: unknown[]; count: number }>;
};

export type Row = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const olderOfBox = ({ box }: Sealers) => box.olderKeyIds().map((id) => `v1.${id}.%`);

const again = (sealed: string, { box, context }: { box: SecretBox; context: SecretContext }) =>
  box.seal(box.open(sealed, context), context);

/** A column with one text that the box has sealed. */
const oneText = (
  column: Pick<SealedColumn, 'table' | 'context'> & {
    column: string;
    text: string;
    contextOf: (row: Row) => SecretContext;
    stored?: (sealed: string) => string;
  },
): SealedColumn => ({
  table: column.table,
  columns: [column.column],
  texts: `array[${column.text}]`,
  context: column.context,
  older: olderOfBox,
  async reseal(row, { box }) {
    const [sealed] = textsOf(row);
    const value = again(sealed ?? '', { box, context: column.contextOf(row) });
    return { values: [column.stored?.(value) ?? value], count: 1 };
  },
});

/** Every column of the database with sealed values. `sealed-columns.test.ts` compares it with the tables and with what seals. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'channels',
    columns: ['sealed_secrets'],
    texts: 'array(select value from jsonb_each_text(sealed_secrets))',
    context: ['workspace_id', 'id', 'sealed_secrets'],
    older: olderOfBox,
    async reseal(row, { box }) {
      const context = { workspaceId: text(row.workspace_id), channelId: text(row.id) };
      const fields = Object.entries(Object(row.sealed_secrets)).map(([field, sealed]): [string, string] => [
        field,
        text(sealed),
      ]);
      const generationOf = (sealed: string) =>
        callbackGeneration({ [callbackTokenField]: sealed }, { context, secrets: box });
      const older = fields.filter(([, sealed]) => box.keyOf(sealed) === 'older');
      const changed = older.map(([field, sealed]) => [
        field,
        // Created anew, so that the channel's next messages contain an address of the newest key.
        field === callbackTokenField
          ? box.seal(callbackToken({ ...context, generation: generationOf(sealed) }, box), context)
          : again(sealed, { box, context }),
      ]);
      const values = { ...Object.fromEntries(fields), ...Object.fromEntries(changed) };
      return { values: [JSON.stringify(values)], count: older.length };
    },
  },
  oneText({
    table: 'reminder_hooks',
    column: 'sealed_secret',
    text: 'sealed_secret',
    context: ['workspace_id', 'reminder_id'],
    contextOf: (row) => secretContext({ workspaceId: text(row.workspace_id), reminderId: text(row.reminder_id) }),
  }),
  {
    table: 'signing_secrets',
    columns: ['sealed_secret', 'sealed_previous'],
    texts: 'array_remove(array[sealed_secret, sealed_previous], null)',
    context: ['workspace_id'],
    older: olderOfBox,
    async reseal(row, { box }) {
      const context = signingContext(text(row.workspace_id));
      const [secret = '', previous] = textsOf(row).map((sealed) => again(sealed, { box, context }));
      return { values: [secret, previous ?? null], count: previous === undefined ? 1 : 2 };
    },
  },
  oneText({
    table: 'erasures',
    column: 'sealed_people',
    text: 'sealed_people',
    context: ['workspace_id'],
    contextOf: (row) => erasedPersonContext(text(row.workspace_id)),
  }),
  oneText({
    table: 'erasure_secrets',
    column: 'sealed_secret',
    text: 'sealed_secret',
    context: ['workspace_id'],
    contextOf: (row) => erasureSecretContext(text(row.workspace_id)),
  }),
  oneText({
    table: 'calendar_sources',
    column: 'sealed_url',
    text: 'sealed_url',
    context: ['workspace_id'],
    contextOf: (row) => urlContext(text(row.workspace_id)),
  }),
  oneText({
    table: 'idempotency_keys',
    column: 'answer',
    text: 'answer',
    context: ['workspace_id', 'user_id', 'api_key_id', 'key'],
    contextOf: (row) =>
      answerContext({
        workspaceId: textOrNull(row.workspace_id),
        senderId: textOrNull(row.user_id) ?? textOrNull(row.api_key_id),
        key: text(row.key),
      }),
  }),
  oneText({
    table: 'app_settings',
    column: 'value',
    text: `case when key = '${pushKeysName}' then value #>> '{}' end`,
    context: [],
    contextOf: () => pushKeysContext,
    stored: JSON.stringify,
  }),
  {
    table: 'auth_two_factors',
    columns: ['secret', 'backup_codes'],
    texts: 'array[secret, backup_codes]',
    context: [],
    // Texts that are only hexadecimal digits, without a version, are from before the first rotation.
    older: ({ authSecrets: [, ...older] }) => [...older.map((secret) => `$ba$${versionOf(secret)}$%`), ...bare],
    async reseal(row, { authSecrets }) {
      const values = [];
      for (const sealed of textsOf(row))
        values.push(await sealWith(authSecrets[0], await openWithAny(authSecrets, sealed)));
      return { values, count: values.length };
    },
  },
];

const bare = '0123456789abcdef'.split('').map((digit) => `${digit}%`);

const textsOf = (row: Row): string[] => (Array.isArray(row.texts) ? row.texts.map(text) : []);
