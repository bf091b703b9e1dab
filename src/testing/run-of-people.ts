import type { Client } from 'pg';
import type { DeliveryStatus } from '#contract/deliveries.ts';

type Line = { status: DeliveryStatus; reason_code?: string; reason_params?: object | null };

/** What the ledger has of a person: a row by mail, one by SMS, or both. */
export type Lines = { email?: Line; sms?: Line };

export const accepted: Lines = { email: { status: 'accepted' } };
export const onBoth: Lines = { email: { status: 'delivered' }, sms: { status: 'accepted' } };
/** Mail failed, and the message went on by SMS. */
export const fellBack: Lines = {
  email: { status: 'failed', reason_code: 'no_such_address' },
  sms: { status: 'accepted' },
};
export const lacksStreet: Lines = {
  email: { status: 'failed', reason_code: 'missing_value', reason_params: { name: 'street' } },
};

/** 184 people with an address and a number: 173 were reached, 30 of them by the second channel and one over both, and 11 lack a value. */
export const mostWereReached: readonly Lines[] = [
  ...Array.from({ length: 11 }, () => lacksStreet),
  ...Array.from({ length: 30 }, () => fellBack),
  onBoth,
  ...Array.from({ length: 142 }, () => accepted),
];

/** Inserts a job that has begun, with a contact for each of these people, and ends it. Returns its id. */
export async function insertRunOfPeople(
  owner: Client,
  {
    workspaceId,
    reminderId = null,
    name = 'Rent is due',
    at,
    status,
    people,
    message = null,
  }: {
    workspaceId: string;
    reminderId?: string | null;
    name?: string;
    at: string;
    status: 'completed' | 'failed' | 'cancelled' | 'pending';
    people: readonly Lines[];
    message?: string | null;
  },
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, started_at, attempts)
     values ($1, $2, $3, case when $2::uuid is null then 'api_notification' else 'reminder' end, 'pending', $4, '2099-01-01', $4, 1) returning id`,
    [workspaceId, reminderId, name, at],
  );
  const job = rows[0]?.id ?? '';
  const exchange = String(Number.parseInt(job.slice(-6), 16)).padStart(8, '1');
  const contacts = people.map((_, n) => ({
    id: crypto.randomUUID(),
    address: `p${n}.${job}@example.com`,
    phone: `+49${exchange}${String(n).padStart(3, '0')}`,
  }));
  await owner.query(
    `insert into contacts (id, workspace_id, name, email, email_key, phone)
     select (c ->> 'id')::uuid, $1, 'Tenant', c ->> 'address', c ->> 'address', c ->> 'phone' from jsonb_array_elements($2) c`,
    [workspaceId, JSON.stringify(contacts)],
  );
  const lines = people.flatMap(({ email, sms }, n) => {
    const { id, address, phone } = contacts[n]!;
    return [
      ...(email === undefined ? [] : [{ ...email, contact: id, channel: 'email', recipient: address, order: 0 }]),
      ...(sms === undefined ? [] : [{ ...sms, contact: id, channel: 'sms', recipient: phone, order: 1 }]),
    ];
  });
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, contact_id, status, attempts, reason, reason_code,
                             reason_params, first_attempt_at, last_attempt_at, completed_at)
     select $1, $2, $3, l ->> 'channel', l ->> 'recipient', 'Tenant', (l ->> 'contact')::uuid, l ->> 'status',
            case when l ->> 'status' in ('queued', 'skipped') then 0 else 1 end, l ->> 'reason_code', l ->> 'reason_code', nullif(l -> 'reason_params', 'null'),
            $3, $3, case when l ->> 'status' in ('queued', 'waiting') then null else $3::timestamptz + (l ->> 'order')::int * interval '1 second' end
       from jsonb_array_elements($4) l`,
    [workspaceId, job, at, JSON.stringify(lines)],
  );
  await owner.query(
    `update jobs set status = $2, completed_at = case when $2 = 'pending' then null else scheduled_for + interval '2 seconds' end,
                     error_message = $3
      where id = $1`,
    [job, status, message],
  );
  return job;
}

/** The people of a run as its ledger has them, counted without the product. */
export async function peopleInLedger(owner: Client, job: string) {
  const { rows } = await owner.query<{
    contact_id: string | null;
    channel: string;
    recipient: string;
    status: DeliveryStatus;
    reason_code: string | null;
    completed_at: Date;
  }>('select contact_id, channel, recipient, status, reason_code, completed_at from deliveries where job_id = $1', [
    job,
  ]);
  const counts = { total: 0, reached: 0, waiting: 0, failed: 0, skipped: 0, excluded: 0 };
  for (const lines of Map.groupBy(rows, (row) => row.contact_id ?? row.recipient).values()) {
    const statuses = lines.map(({ status }) => status);
    const isAny = (...wanted: DeliveryStatus[]) => statuses.some((status) => wanted.includes(status));
    const last = lines.toSorted((a, b) => Number(a.completed_at) - Number(b.completed_at)).at(-1);
    const isExcluded = last?.reason_code === 'person_skipped' || last?.reason_code === 'person_paused';
    if (isExcluded && last?.status === 'skipped' && !isAny('accepted', 'delivered', 'queued', 'sending', 'waiting')) {
      counts.excluded += 1;
      continue;
    }
    counts.total += 1;
    if (isAny('accepted', 'delivered')) counts.reached += 1;
    else if (isAny('queued', 'sending', 'waiting')) counts.waiting += 1;
    else if (last?.status === 'skipped') counts.skipped += 1;
    else counts.failed += 1;
  }
  return counts;
}
