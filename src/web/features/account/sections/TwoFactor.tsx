import { Button, Group } from '@mantine/core';
import { useDisableTwoFactor, useRenewRecoveryCodes, useTwoFactor } from '#web/api/two-factor.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { EnableTwoFactorDialog } from '#web/features/account/EnableTwoFactorDialog.tsx';
import { RecoveryCodesDialog } from '#web/features/account/RecoveryCodesDialog.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';

const few = 3;

/** The code of an authenticator app at each sign-in, and the recovery codes in its place. */
export function TwoFactor() {
  const state = useTwoFactor();
  return (
    <RecordSection title="Two-factor authentication" aside={state.data && <State isOn={state.data.is_on} />}>
      <Loaded of={state} failed="Error loading two-factor authentication">
        {({ recovery_codes_left: left, has_password: hasPassword }) => <Rows left={left} hasPassword={hasPassword} />}
      </Loaded>
    </RecordSection>
  );
}

const State = ({ isOn }: { isOn: boolean }) => <ToneBadge tone={isOn ? 'good' : 'quiet'} word={isOn ? 'On' : 'Off'} />;

/** @param left the recovery codes; null while it is off */
function Rows({ left, hasPassword }: { left: number | null; hasPassword: boolean }) {
  const { state, open, dialog } = useDialogState<'enable' | 'renew' | 'disable' | { codes: string[] }>();
  const { asked, isOpen, openCount } = state;
  const disable = useDisableTwoFactor();
  const renew = useRenewRecoveryCodes();

  const renewNow = () =>
    renew.mutate(undefined, {
      onSuccess: (codes) => open({ codes }),
      onError: (error) => notifyFailure('Error making new recovery codes', error),
    });

  return (
    <>
      {left === null ? (
        <div className={list.entry}>
          <span className={list.words}>
            <span className={prose.note}>
              Signing in then also asks for a code of an app on your phone: who learns your password does not get in.
            </span>
          </span>
          <Button size="sm" onClick={() => open('enable')}>
            Turn on
          </Button>
        </div>
      ) : (
        <>
          <div className={list.entry}>
            <span className={list.words}>
              <strong>Authenticator app</strong>
              <span className={prose.note}>Signing in asks for its code.</span>
            </span>
            <Button variant="default" size="sm" onClick={() => open('disable')}>
              Turn off
            </Button>
          </div>
          <div className={list.entry}>
            <span className={list.words}>
              <strong>Recovery codes</strong>
              <span className={record.note} data-tone={left <= few ? 'waiting' : undefined}>
                {left === 0 ? 'None is left: make new ones.' : `${left} left, each for one sign-in without your phone.`}
              </span>
            </span>
            <Button variant="default" size="sm" onClick={() => open('renew')}>
              Make new ones
            </Button>
          </div>
        </>
      )}
      {asked === 'enable' && <EnableTwoFactorDialog key={openCount} hasPassword={hasPassword} {...dialog} />}
      {typeof asked === 'object' && asked !== null && (
        <RecoveryCodesDialog key={openCount} codes={asked.codes} {...dialog} />
      )}
      <ActDialog
        title="Turn off two-factor authentication?"
        confirmLabel="Turn off"
        run={() => disable.mutateAsync()}
        done={['Two-factor authentication is off', 'Signing in no longer asks for a code.']}
        failed="Error turning off two-factor authentication"
        {...dialog}
        opened={isOpen && asked === 'disable'}
      >
        Your password alone signs you in then. The recovery codes stop working, and your app’s entry for Cuebird is of
        no more use.
      </ActDialog>
      <ConfirmDialog
        title="Make new recovery codes?"
        confirmLabel="Make new codes"
        {...dialog}
        opened={isOpen && asked === 'renew'}
        isBusy={renew.isPending}
        onConfirm={renewNow}
      >
        <Group>The codes that you have now stop working at once.</Group>
      </ConfirmDialog>
    </>
  );
}
