import { Button, Group, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useSession } from '#web/api/session.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import classes from './two-factor.module.css';

type RecoveryCodesDialogProps = { codes: string[]; opened: boolean; onClose: () => void };

/** Shows new recovery codes, once. */
export const RecoveryCodesDialog = ({ codes, opened, onClose }: RecoveryCodesDialogProps) => (
  <Dialog title="Save your recovery codes" opened={opened} onClose={onClose} mustAnswer>
    <RecoveryCodes codes={codes} onDone={onClose} />
  </Dialog>
);

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const email = useSession()?.user.email ?? '';
  const clipboard = useClipboard({ timeout: 2_000 });
  const text = `Recovery codes for Cuebird, ${email}\nEach works once.\n\n${codes.join('\n')}\n`;
  return (
    <Stack gap={16}>
      <span>
        Each signs you in once without your phone. They are shown only now: keep them where you find them without it.
      </span>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap={8}>
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={() => clipboard.copy(codes.join('\n'))}
          >
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="cuebird-recovery-codes.txt"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download
          </Button>
        </Group>
        <Button onClick={onDone} autoFocus data-autofocus ml="auto">
          I have saved them
        </Button>
      </Group>
    </Stack>
  );
}
