import { Alert, Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { BackupFile, Backups } from '#contract/admin-backups.ts';
import { downloadBackup, useBackups } from '#web/api/admin-settings.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from './settings.module.css';

/** The nightly backups: files to download, and what is known of the next one. */
export const BackupsSection = () => (
  <RecordSection title="Backups">
    <Loaded of={useBackups()} failed="Error loading backups">
      {(backups) => <Content backups={backups} />}
    </Loaded>
  </RecordSection>
);

function Content({ backups }: { backups: Backups }) {
  const { data, folder, next_at: nextAt, failure, will_be_encrypted: isEncrypted } = backups;
  return (
    <>
      {failure !== null && (
        <Alert color="red" title="The last backup failed" className={classes.failure} role="alert">
          <InstantText at={failure.at} />: {failure.message}
        </Alert>
      )}
      {data.length === 0 ? (
        <p className={classes.note}>There is no backup yet.</p>
      ) : (
        <ul className={classes.list}>
          {data.map((backup) => (
            <Row key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
      <p className={classes.note}>
        {nextAt === null ? (
          'Auto Backups is off: no further backup is made.'
        ) : (
          <>
            The next one is due <InstantText at={nextAt} />
            {isEncrypted ? ', and will be encrypted' : ''}.
          </>
        )}{' '}
        Restore one into an empty database with <code>npm run restore -- FILE</code>, and keep the encryption key in
        another place. They are in <code>{folder}</code>.
      </p>
    </>
  );
}

function Row({ backup }: { backup: BackupFile }) {
  const download = useMutation({
    mutationFn: () => downloadBackup(backup.name),
    onError: (error) => notifyFailure('Error downloading the backup', error),
  });
  return (
    <li className={classes.row}>
      <span className={classes.words}>
        <strong>
          <InstantText at={backup.made_at} />
        </strong>
        <span className={classes.small}>
          {sizeText(backup.bytes)}
          {backup.is_encrypted ? ', encrypted' : ''} · {backup.name}
        </span>
      </span>
      <Button
        variant="default"
        size="sm"
        loading={download.isPending}
        leftSection={<IconDownload size={16} aria-hidden />}
        aria-label={`Download the backup ${backup.name}`}
        onClick={() => download.mutate()}
      >
        Download
      </Button>
    </li>
  );
}

/** As the terminal says it: 1 MB is a million bytes. */
const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
