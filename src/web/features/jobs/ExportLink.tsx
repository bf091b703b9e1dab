import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

/** Downloads what a list shows, all pages of it. */
export const ExportLink = ({ href }: { href: string }) => (
  <Button
    component="a"
    href={href}
    download
    variant="subtle"
    size="compact-sm"
    leftSection={<IconDownload size={15} aria-hidden />}
  >
    Export CSV
  </Button>
);
