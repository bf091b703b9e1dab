import { useMediaQuery } from '@mantine/hooks';

/** Whether a table of nine columns fits with readable names; else each row takes two lines. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
