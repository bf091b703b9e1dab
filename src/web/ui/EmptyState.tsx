import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import classes from './EmptyState.module.css';

type EmptyStateProps = {
  icon: ComponentType<IconProps>;
  title: string;
  /** The purpose of the list, or how to fill it. */
  sentence?: ReactNode;
  /** The main next step. */
  action?: ReactNode;
};

/** The empty state of a list. */
export function EmptyState({ icon: Icon, title, sentence, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={24} stroke={1.6} aria-hidden />
      </span>
      <p className={classes.title}>{title}</p>
      {sentence && <p className={classes.sentence}>{sentence}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
