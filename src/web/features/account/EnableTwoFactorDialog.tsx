import { useState } from 'react';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EnableTwoFactor } from './EnableTwoFactor.tsx';

type EnableTwoFactorDialogProps = { hasPassword: boolean; opened: boolean; onClose: () => void };

export function EnableTwoFactorDialog({ hasPassword, opened, onClose }: EnableTwoFactorDialogProps) {
  const [isOn, setIsOn] = useState(false);
  return (
    <Dialog
      title={isOn ? 'Save your recovery codes' : 'Turn on two-factor authentication'}
      mustAnswer={isOn}
      {...{ opened, onClose }}
    >
      <EnableTwoFactor hasPassword={hasPassword} onLeave={onClose} onEnabled={() => setIsOn(true)} onDone={onClose} />
    </Dialog>
  );
}
