import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './PageHeader.module.css';

type PageHeaderProps = {
  title: string;
  /** One sentence under the title. */
  subtitle?: ReactNode;
  /** What stands above the title: a way back, say. */
  above?: ReactNode;
  /** The page's main button or buttons; they move below the title on a phone. */
  actions?: ReactNode;
};

/** The top of every screen; also names the browser's tab. */
export function PageHeader({ title, subtitle, above, actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        {above}
        <Title order={1}>{title}</Title>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** Names the browser's tab `{title} · Cuebird` while the screen is shown; what is shown within may name it for a while. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Cuebird`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
