import '@mantine/core/styles/Alert.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Alert, Button, Stack, Switch } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BackupFile, Backups } from '#contract/admin-backups.ts';
import type { InstallationSettings, SettingsChange } from '#contract/admin-settings.ts';
import {
  downloadBackup,
  useBackups,
  useChangeInstallationSettings,
  useInstallationSettings,
} from '#web/api/admin-settings.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import list from '#web/ui/list.module.css';
import classes from './settings.module.css';

/** The switches of the installation, which are saved as they are turned, and its backups. */
export default function SettingsTab() {
  return (
    <div className={classes.tab}>
      <RecordSection title="Settings">
        <Loaded of={useInstallationSettings()} failed="Error loading settings">
          {(settings) => <Switches settings={settings} />}
        </Loaded>
      </RecordSection>
      <BackupsSection />
    </div>
  );
}

function Switches({ settings }: { settings: InstallationSettings }) {
  const { mutate, isPending, variables } = useChangeInstallationSettings();
  const { open, dialog } = useDialogState<true>();

  const save = (change: SettingsChange, saved: string) =>
    mutate(change, {
      onSuccess: () => notifySuccess('Settings updated', saved),
      onError: (error) => notifyFailure('Error updating settings', error),
      onSettled: dialog.onClose,
    });

  return (
    <Stack gap={20} p="4px var(--gutter) 20px">
      {switches.map(({ name, label, hint }) => {
        const isChanging = isPending && variables[name] !== undefined;
        // What is being saved shows at once, and goes back where that fails.
        const isOn = isChanging ? variables[name] === true : settings[name];
        return (
          <Stack key={name} gap={12}>
            <Switch
              label={label}
              aria-label={label}
              description={hint}
              checked={isOn}
              // Not disabled: it would lose the focus.
              aria-disabled={isPending || undefined}
              onChange={({ currentTarget: { checked } }) => {
                if (isPending) return;
                // It closes the installation to everybody else.
                if (name === 'maintenanceMode' && checked) open(true);
                else save({ [name]: checked }, `${label} is ${checked ? 'on' : 'off'}.`);
              }}
            />
            {name === 'apiRateLimit' && isOn && (
              <OwnLimit saved={settings.apiRequestsPerHour} isBusy={isPending} onSave={save} />
            )}
          </Stack>
        );
      })}
      <ConfirmDialog
        title="Turn on maintenance mode?"
        confirmLabel="Turn on"
        {...dialog}
        isBusy={isPending}
        onConfirm={() => save({ maintenanceMode: true }, 'Maintenance Mode is on.')}
      >
        Nobody but administrators can use Cuebird until you turn it off, and API keys are refused. What is not saved
        elsewhere cannot be saved meanwhile.
      </ConfirmDialog>
    </Stack>
  );
}

type OwnLimitProps = {
  saved: number | null;
  isBusy: boolean;
  onSave: (change: SettingsChange, saved: string) => void;
};

function OwnLimit({ saved, isBusy, onSave }: OwnLimitProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const value = typed ?? saved ?? '';
  const limit = value === '' ? null : Number(value);
  const isWrong = limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > 1_000_000);
  return (
    <form
      className={classes.limit}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isWrong) return;
        onSave(
          { apiRequestsPerHour: limit },
          limit === null ? 'The limit is that of each plan.' : `The limit is ${limit.toLocaleString('en')} an hour.`,
        );
      }}
    >
      <NumberField
        label="Requests per hour"
        description="Of each workspace. Leave it empty for the limit of its plan."
        placeholder="By plan"
        isWhole
        min={1}
        max={1_000_000}
        value={value}
        onChange={setTyped}
      />
      <Button type="submit" variant="default" disabled={isBusy || limit === saved}>
        Save limit
      </Button>
    </form>
  );
}

/** The nightly backups: files to download, and what is known of the next one. */
const BackupsSection = () => (
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
        <Alert color="red" title="The last backup failed" m="0 var(--gutter) 12px" role="alert">
          <InstantText at={failure.at} />: {failure.message}
        </Alert>
      )}
      {data.length === 0 ? (
        <p className={classes.note}>There is no backup yet.</p>
      ) : (
        <ul>
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
    <li className={list.entry}>
      <span className={list.words}>
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

type SwitchName = {
  [Name in keyof InstallationSettings]: InstallationSettings[Name] extends boolean ? Name : never;
}[keyof InstallationSettings];

type SettingSwitch = { name: SwitchName; label: string; hint: string };

/** In the order of the specification (section 3). */
const switches: readonly SettingSwitch[] = [
  {
    name: 'maintenanceMode',
    label: 'Maintenance Mode',
    hint: 'Everybody but administrators sees a page that says so. Reminders are still sent, and unsubscribing works.',
  },
  {
    name: 'debugLogging',
    label: 'Debug Logging',
    hint: 'Every process writes more to its log, without a restart. Turn it off again: logs grow quickly.',
  },
  {
    name: 'autoBackups',
    label: 'Auto Backups',
    hint: 'Each night at 2:00 UTC the whole database is copied into one file. The newest seven are kept.',
  },
  {
    name: 'twoFactorAuth',
    label: 'Two-Factor Auth',
    hint: 'Administrators are asked at once for a code of an app at sign-in. After seven days the console needs it.',
  },
  {
    name: 'apiRateLimit',
    label: 'API Rate Limit',
    hint: 'API keys and hooks of a workspace may send so many requests an hour as its plan says, or your own limit.',
  },
  {
    name: 'sessionTimeout',
    label: 'Session Timeout',
    hint: 'Who has not used Cuebird for 30 days signs in again. While it is off, that is after 90 days in any case.',
  },
];
