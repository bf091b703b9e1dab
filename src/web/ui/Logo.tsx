import { Flex } from '@mantine/core';
import classes from './Logo.module.css';

/** The logo; `withName` adds the word Cuebird. */
export function Logo({ size = 28, withName = false }: { size?: number; withName?: boolean }) {
  return (
    <Flex component="span" display="inline-flex" gap={8} align="center" c="var(--mantine-color-text)">
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden={withName} role={withName ? undefined : 'img'}>
        {!withName && <title>Cuebird</title>}
        <path className={classes.head} d="M2 29V14A12 12 0 0 1 26 14A12 12 0 0 1 14 26H9Z" />
        <path className={classes.wing} d="M2 29V19A8 8 0 0 1 12 19A9 9 0 0 1 9 26Z" />
        <path className={classes.beak} d="M25.4 9.5L32 14L25.4 18.5Z" />
        <circle className={classes.eye} cx="18" cy="11.5" r="2.4" />
      </svg>
      {withName && <span className={classes.name}>Cuebird</span>}
    </Flex>
  );
}
