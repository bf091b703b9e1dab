import { Fact, Facts } from '#web/ui/Facts.tsx';
import { useSession } from '#web/api/session.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from './account.module.css';

/** The signed-in person as others see them. */
export function ProfileScreen() {
  const user = useSession()?.user;
  return (
    <>
      <PageHeader title="Profile" subtitle="How you appear to others in your workspaces" />
      <div className={classes.sections}>
        <RecordSection title="You">
          <Facts>
            <Fact name="Name">{user?.name}</Fact>
            <Fact name="E-mail">{user?.email}</Fact>
          </Facts>
        </RecordSection>
      </div>
    </>
  );
}
