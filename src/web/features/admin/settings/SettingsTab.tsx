import './settings-styles.ts';
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import type { InstallationSettings, SettingsChange } from '#contract/admin-settings.ts';
import { useChangeInstallationSettings, useInstallationSettings } from '#web/api/admin-settings.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { NumberField } from '#web/ui/NumberField.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { BackupsSection } from './BackupsSection.tsx';
import classes from './settings.module.css';
import { switches } from './switches.ts';

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
  const { state, open, close } = useDialogState<true>();

  const save = (change: SettingsChange, saved: string) =>
    mutate(change, {
      onSuccess: () => notifySuccess('Settings updated', saved),
      onError: (error) => notifyFailure('Error updating settings', error),
      onSettled: () => close(state.openCount),
    });

  return (
    <div className={classes.form}>
      {switches.map(({ name, label, hint }) => {
        const isChanging = isPending && variables[name] !== undefined;
        // What is being saved shows at once, and goes back where that fails.
        const isOn = isChanging ? variables[name] === true : settings[name];
        return (
          <div key={name} className={classes.setting}>
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
          </div>
        );
      })}
      <ConfirmDialog
        title="Turn on maintenance mode?"
        confirmLabel="Turn on"
        opened={state.isOpen}
        onClose={() => close(state.openCount)}
        isBusy={isPending}
        onConfirm={() => save({ maintenanceMode: true }, 'Maintenance Mode is on.')}
      >
        Nobody but administrators can use Cuebird until you turn it off, and API keys are refused. What is not saved
        elsewhere cannot be saved meanwhile.
      </ConfirmDialog>
    </div>
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
