import { Box, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './PageHeader.module.css';

type PageHeaderProps = {
  title: string;
  /** The title of the browser's tab, where it says more. */
  documentTitle?: string;
  /** One sentence under the title. */
  subtitle?: ReactNode;
  /** Content above the title, for example a back link. */
  above?: ReactNode;
  /** The page's main buttons; on phones they move below the title. */
  actions?: ReactNode;
};

/** The header of every screen; also sets the tab's title. */
export function PageHeader({ title, documentTitle = title, subtitle, above, actions }: PageHeaderProps) {
  useDocumentTitle(documentTitle);
  return (
    <header className={classes.header}>
      <Box flex="1 1 320px" miw={0}>
        {above}
        <Title order={1}>{title}</Title>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
      </Box>
      {actions && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** Sets the tab's title to `{title} · Cuebird` while the component is mounted; a nested component may override it. */
export function useDocumentTitle(title: string, owner = 'Cuebird'): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${owner}`;
    return () => {
      document.title = before;
    };
  }, [title, owner]);
}
