import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { troublesOf } from '#features/alerts/alert-watch.service.ts';
import { type AlertDeps, raiseAlert, recentAlerts } from '#features/alerts/alerts.service.ts';
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
