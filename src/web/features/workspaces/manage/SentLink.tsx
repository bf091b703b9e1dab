import { Button, Group, Stack, Text } from '@mantine/core';
import type { SentInvitation } from '#contract/invitations.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import prose from '#web/ui/prose.module.css';

/** The link of an invitation, which is shown only once. */
export const SentLink = ({ sent, onDone }: { sent: SentInvitation; onDone: () => void }) => (
  <Stack gap={16}>
    <Text className={prose.breaks} role="status">
      {sent.is_mailed
        ? `The invitation was mailed to ${sent.email}.`
        : `No mail was sent to ${sent.email}: pass the link on yourself.`}{' '}
      The link works once, for this address only, and is not shown again.
    </Text>
    <Copyable text={sent.link} label="Copy invitation link" />
    <Group justify="flex-end">
      {/* The second click of a double click was for the button that stood here. */}
      <Button onClick={({ detail }) => detail < 2 && onDone()}>Done</Button>
    </Group>
  </Stack>
);
