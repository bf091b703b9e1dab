import { Button, Flex } from '@mantine/core';

type ChipListHeadProps = { title: string; clearLabel: string; onClear?: () => void };

/** The title of a chip list, with Clear All when it is not empty. */
export function ChipListHead({ title, clearLabel, onClear }: ChipListHeadProps) {
  return (
    <Flex align="center" justify="space-between" mih={28} fw={500}>
      <span>{title}</span>
      {onClear && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
          {clearLabel}
        </Button>
      )}
    </Flex>
  );
}
