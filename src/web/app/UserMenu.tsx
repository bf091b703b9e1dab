import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { SessionUser } from '#web/api/session.ts';
import { AccountButton } from './AccountButton.tsx';

const loadMenu = () => import('./AccountMenu.tsx');
const AccountMenu = lazy(loadMenu);

/** The avatar in the bar; its menu loads on hover or focus. */
export function UserMenu({ user }: { user: SessionUser }) {
  const [isWanted, { open }] = useDisclosure(false);
  const button = (
    <AccountButton
      user={user}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={open}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu user={user} />
    </Suspense>
  ) : (
    button
  );
}
