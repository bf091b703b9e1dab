import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { diffWords } from './diff.ts';
import classes from './VersionsDialog.module.css';

/**
 * The difference of two texts: removed text is struck through, added text is underlined; both are labelled for screen
 * readers.
 */
export function DiffText({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return parts.map(({ kind, text }, at) => {
    switch (kind) {
      case 'same':
        return <span key={at}>{text}</span>;
      case 'removed':
        return (
          <del key={at} className={classes.removed}>
            <VisuallyHidden>removed: </VisuallyHidden>
            {text}
          </del>
        );
      case 'added':
        return (
          <ins key={at} className={classes.added}>
            <VisuallyHidden>added: </VisuallyHidden>
            {text}
          </ins>
        );
      default:
        return kind satisfies never;
    }
  });
}
