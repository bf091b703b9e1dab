import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type pg from 'pg';
import type { adminBackupRoutes } from '#contract/admin-backups.ts';
import { type NightlyBackups, recordDownload } from '#features/backups/nightly-backups.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = { backups: Pick<NightlyBackups, 'list' | 'fileOf'>; pool: pg.Pool };

/** `pool` is connected as the role cuebird_auth, which writes acts of the installation. */
export const backupHandlers = ({ backups, pool }: Ports): HandlersOf<typeof adminBackupRoutes> => ({
  listBackups: () => backups.list(),
  downloadBackup: ({ ctx, params, clientAddress }) =>
    new AfterCommit(async () => {
      const file = await backups.fileOf(params.name);
      const content = await openAsBlob(file);
      await recordDownload(pool, { actorId: ctx.actor.userId, name: basename(file), clientAddress, now: ctx.now });
      return new Response(content, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(content.size),
          'content-disposition': `attachment; filename="${basename(file)}"`,
          'cache-control': 'no-store, no-transform',
        },
      });
    }),
});
