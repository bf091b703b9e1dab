import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { NewApiKey } from '#contract/api-keys.ts';
import { CopyTextButton } from '#web/ui/CopyTextButton.tsx';
import prose from '#web/ui/prose.module.css';

/** A new key, which is shown only once. */
export const NewKey = ({ made, onDone }: { made: NewApiKey; onDone: () => void }) => (
  <Stack gap={16}>
    <Text className={prose.breaks} role="status">
      This is the key of {made.name}. It is shown only now: keep it where your program finds it and nobody else does.
    </Text>
    <Box className={prose.breaks} component="code" py={10} px="sm" bd="1px solid var(--line)" bdrs="md">
      {made.key}
    </Box>
    <Group justify="space-between" gap={8}>
      <CopyTextButton label="Copy key" text={made.key} />
      {/* The second click of a double click was for the button that stood here. */}
      <Button onClick={({ detail }) => detail < 2 && onDone()}>I have saved it</Button>
    </Group>
  </Stack>
);
