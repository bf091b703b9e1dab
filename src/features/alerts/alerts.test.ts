import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { troublesOf } from '#features/alerts/alert-watch.service.ts';
import {
  type AlertDeps,
  dismissAlert,
  raiseAlert,
  recentAlerts,
  resolveFailedBackup,
  resolveUnseen,
} from '#features/alerts/alerts.service.ts';
import { createLog } from '#platform/log.ts';
import { openTables, type Tables } from '#testing/tables.ts';

describe('an alert to administrators', () => {
  let tables: Tables;
  let now = Temporal.Instant.from('2026-03-02T08:00:00Z');
  let mails: { to: string; subject: string; text: string }[] = [];
  let isAccepted = true;
  beforeAll(async () => {
    tables = await openTables();
    await tables.owner.query('update profiles set is_system_admin = true where id = $1', [tables.dana]);
  });
  beforeEach(async () => {
    await tables.owner.query('truncate alerts');
    mails = [];
    isAccepted = true;
    now = Temporal.Instant.from('2026-03-02T08:00:00Z');
  });
  afterAll(() => tables.close());

  const deps = (): AlertDeps => ({
    pool: tables.database.engine,
    log: createLog('silent'),
    now: () => now,
    url: () => 'https://cuebird.example.com',
    sendMail: async (mail) => {
      if (isAccepted) mails.push(mail);
      return isAccepted;
    },
  });
  const raise = (cause: 'disk_nearly_full' | 'backup_failed' = 'disk_nearly_full') =>
    raiseAlert(deps(), { cause, detail: '1.0 GiB of 20.0 GiB are free where DATA_DIR is.' });

  it('is mailed to administrators only, once for each cause and day, whoever sees it', async () => {
    await Promise.all([raise(), raise(), raise()]);
    expect(mails).toEqual([
      expect.objectContaining({ to: 'dana@example.com', subject: 'Cuebird: The disk is nearly full' }),
    ]);
    expect(mails[0]?.text).toContain('https://cuebird.example.com/admin?tab=system');
    await raise('backup_failed');
    expect(mails).toHaveLength(2);
    now = now.add({ hours: 24 });
    await raise();
    expect(mails).toHaveLength(3);
    expect(await recentAlerts(tables.database.engine, now)).toHaveLength(3);
  });

  it('is tried again on the same day when no mail was accepted', async () => {
    isAccepted = false;
    await raise();
    expect((await recentAlerts(tables.database.engine, now))[0]?.mailed_at).toBeNull();
    isAccepted = true;
    await raise();
    await raise();
    expect(mails).toHaveLength(1);
  });

  const shown = async () =>
    (await recentAlerts(tables.database.engine, now)).map(({ cause, resolved_at: gone }) => [cause, gone]);
  const dismiss = (cause: 'disk_nearly_full' | 'backup_failed') =>
    dismissAlert(
      { pool: tables.database.engine, auth: tables.database.auth },
      { cause, day: now.toString().slice(0, 10), actorId: tables.dana, clientAddress: '192.0.2.1', now },
    );

  it('is over when its cause was not seen for three minutes, and comes back with it', async () => {
    await raise();
    now = now.add({ minutes: 2 });
    await resolveUnseen(tables.database.engine, now);
    expect(await shown()).toEqual([['disk_nearly_full', null]]);
    now = now.add({ minutes: 1 });
    await resolveUnseen(tables.database.engine, now);
    expect(await shown()).toEqual([['disk_nearly_full', now.toString({ fractionalSecondDigits: 3 })]]);
    await raise();
    expect(await shown()).toEqual([['disk_nearly_full', null]]);
    expect(mails, 'once a day all the same').toHaveLength(1);
  });

  it('of a backup is over with the next one that succeeds, however long that takes', async () => {
    await raise('backup_failed');
    now = now.add({ minutes: 50 });
    await resolveUnseen(tables.database.engine, now);
    expect(await shown()).toEqual([['backup_failed', null]]);
    await resolveFailedBackup(tables.database.engine, now);
    expect(await shown()).toEqual([['backup_failed', now.toString({ fractionalSecondDigits: 3 })]]);
  });

  it('is dismissed while it goes on, and shown again when its cause comes back after it was gone', async () => {
    await raise();
    await raise('backup_failed');
    await dismiss('disk_nearly_full');
    await dismiss('disk_nearly_full');
    await raise();
    expect(await shown()).toEqual([['backup_failed', null]]);
    const { rows } = await tables.owner.query(
      "select actor_id, details from audit_log where action = 'admin.alert_dismissed'",
    );
    expect(rows).toEqual([{ actor_id: tables.dana, details: { cause: 'disk_nearly_full', day: '2026-03-02' } }]);
    now = now.add({ minutes: 3 });
    await resolveUnseen(tables.database.engine, now);
    await raise();
    expect(await shown()).toEqual([
      ['disk_nearly_full', null],
      ['backup_failed', null],
    ]);
  });

  it('is forgotten after a month', async () => {
    await raise();
    now = now.add({ hours: 31 * 24 });
    await raise();
    expect((await tables.owner.query('select from alerts')).rowCount).toBe(1);
  });

  it('is raised by a full disk, late deliveries and many failed sign-ins, and by nothing less', () => {
    const gib = 1_073_741_824;
    const calm = {
      disk: { freeBytes: 3 * gib, sizeBytes: 20 * gib },
      lateness: 59,
      oldestDueSeconds: 59,
      signInFailures: 49,
    };
    const causesOf = (changed: Partial<typeof calm>) => troublesOf({ ...calm, ...changed }).map(({ cause }) => cause);
    expect(causesOf({})).toEqual([]);
    expect(troublesOf({ disk: null, lateness: null, oldestDueSeconds: 0, signInFailures: 0 })).toEqual([]);
    expect(causesOf({ disk: { freeBytes: 1.9 * gib, sizeBytes: 20 * gib } })).toEqual(['disk_nearly_full']);
    expect(causesOf({ disk: { freeBytes: 0.9 * gib, sizeBytes: 2 * gib } })).toEqual(['disk_nearly_full']);
    expect(causesOf({ lateness: 61, oldestDueSeconds: 100 })).toEqual(['late_deliveries']);
    expect(causesOf({ oldestDueSeconds: 61 })).toEqual(['late_deliveries']);
    expect(causesOf({ signInFailures: 50 })).toEqual(['sign_in_failures']);
  });
});
