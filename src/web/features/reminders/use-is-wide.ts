import { useMediaQuery } from '@mantine/hooks';

/** Room for a table of nine columns whose names can be read; else each row has two lines. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
