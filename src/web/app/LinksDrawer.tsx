import { Drawer, Flex } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Logo } from '#web/ui/Logo.tsx';
import classes from './LinksDrawer.module.css';
import { useNavigationLinks } from './navigation.ts';

/** The bar's links on narrow screens; loaded when first opened. */
export default function LinksDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  // Mantine returns the focus only after `opened` has changed, so a drawer that mounts open needs a first render as
  // closed.
  const isMounted = useMounted();
  return (
    <Drawer
      opened={isMounted && opened}
      onClose={onClose}
      position="right"
      size={300}
      title={<Logo withName />}
      closeButtonProps={{ 'aria-label': 'Close the menu' }}
    >
      <Flex component="nav" direction="column" gap={4} aria-label="Main">
        {useNavigationLinks().map(({ label, to, icon: Icon }) => (
          <Link key={to} to={to} className={classes.link} activeProps={{ 'aria-current': 'page' }} onClick={onClose}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {label}
          </Link>
        ))}
      </Flex>
    </Drawer>
  );
}
