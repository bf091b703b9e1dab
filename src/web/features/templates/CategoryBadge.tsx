import type { CSSProperties } from 'react';
import type { CategoryColor } from '#contract/template-categories.ts';
import prose from '#web/ui/prose.module.css';
import classes from './CategoryBadge.module.css';

/** A category in its colour; the text colour is mixed from it for enough contrast in both schemes. */
export function CategoryBadge({ name, color }: { name: string; color: CategoryColor }) {
  const style: CSSProperties & Record<'--category', string> = { '--category': color };
  return (
    <span className={classes.badge} style={style} title={name}>
      <span className={classes.dot} aria-hidden />
      <span className={prose.oneLine}>{name}</span>
    </span>
  );
}
