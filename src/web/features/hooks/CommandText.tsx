import { Box, Group } from '@mantine/core';
import { CopyTextButton } from '#web/ui/CopyTextButton.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';

/** A command of the shell, to be copied. */
export const CommandText = ({ label, children }: { label: string; children: string }) => (
  <Box miw={0}>
    <Group justify="space-between" gap={8} wrap="nowrap" mb={4} fz={13} c="dimmed">
      <span>{label}</span>
      <CopyTextButton size="compact-sm" variant="subtle" color="gray" aria-label={`Copy: ${label}`} text={children} />
    </Group>
    <CodeText label={label}>{children}</CodeText>
  </Box>
);
