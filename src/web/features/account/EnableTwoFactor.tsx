import '@mantine/core/styles/PasswordInput.layer.css';
import { Box, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { useSession } from '#web/api/session.ts';
import { type TwoFactorSetup, useBeginTwoFactor, useEnableTwoFactor } from '#web/api/two-factor.ts';
import { CodeInput } from '#web/features/auth/CodeInput.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Copyable } from '#web/ui/Copyable.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { RecoveryCodes } from './RecoveryCodesDialog.tsx';
import classes from './two-factor.module.css';

type Leave = { onLeave: () => void; leaveLabel?: string | undefined };

type EnableTwoFactorProps = Leave & {
  hasPassword: boolean;
  /** It is on, and the recovery codes are shown. */
  onEnabled: () => void;
  /** The codes are saved. */
  onDone: () => void;
};

/** Asks who it is, shows the QR code, takes the first code, and shows the recovery codes. */
export function EnableTwoFactor({ hasPassword, onEnabled, onDone, ...leave }: EnableTwoFactorProps) {
  const [begun, setBegun] = useState<TwoFactorSetup | null>(null);
  const [isOn, setIsOn] = useState(false);
  const scanned = () => {
    setIsOn(true);
    onEnabled();
  };
  if (begun === null) return <Begin hasPassword={hasPassword} onBegun={setBegun} {...leave} />;
  if (!isOn) return <Scan begun={begun} onScanned={scanned} {...leave} />;
  return <RecoveryCodes codes={begun.backupCodes} onDone={onDone} />;
}

type BeginProps = Leave & { hasPassword: boolean; onBegun: (begun: TwoFactorSetup) => void };

function Begin({ hasPassword, onBegun, onLeave, leaveLabel }: BeginProps) {
  const email = useSession()?.user.email ?? '';
  const begin = useBeginTwoFactor();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    if (hasPassword && password === '') return setProblem('Enter your password');
    try {
      onBegun(await begin.mutateAsync(hasPassword ? password : undefined));
    } catch (error) {
      setProblem(messageOf(error));
    }
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <span>
          You need an authenticator app on your phone, such as Google Authenticator, Aegis or 1Password. Your other
          browsers are signed out.
        </span>
        {hasPassword ? (
          <>
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              maxLength={200}
              value={password}
              error={problem}
              onChange={(event) => {
                setPassword(event.currentTarget.value);
                setProblem(null);
              }}
              data-autofocus
            />
          </>
        ) : (
          problem !== null && <span role="alert">{problem}</span>
        )}
        <FormButtons onCancel={onLeave} cancelLabel={leaveLabel} isBusy={begin.isPending}>
          Continue
        </FormButtons>
      </Stack>
    </form>
  );
}

type ScanProps = Leave & { begun: TwoFactorSetup; onScanned: () => void };

function Scan({ begun, onScanned, onLeave, leaveLabel }: ScanProps) {
  const enable = useEnableTwoFactor();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const secret = new URL(begun.totpURI).searchParams.get('secret') ?? '';
  const submit = useSubmit(async () => {
    if (code.trim() === '') return setProblem('Enter the code that your app shows');
    try {
      await enable.mutateAsync(code);
      onScanned();
    } catch (error) {
      setProblem(messageOf(error));
    }
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <span>Scan this with your authenticator app, then enter the six digits that it shows.</span>
        <QrCode text={begun.totpURI} />
        <div className={classes.key}>
          You cannot scan it? Enter this key in the app:
          <Copyable text={secret} shown={secret.replaceAll(/.{4}(?=.)/g, '$& ')} label="Copy the key" />
        </div>
        <CodeInput
          label="Code"
          value={code}
          error={problem}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setProblem(null);
          }}
          autoFocus
        />
        <FormButtons onCancel={onLeave} cancelLabel={leaveLabel} isBusy={enable.isPending}>
          Turn on
        </FormButtons>
      </Stack>
    </form>
  );
}

/** Black on white in dark mode, too: not every app reads it the other way round. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <Box
      component="svg"
      display="block"
      w={200}
      h={200}
      mx="auto"
      bdrs="md"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </Box>
  );
}
