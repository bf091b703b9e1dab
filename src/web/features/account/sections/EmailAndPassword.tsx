import { useSession } from '#web/api/session.ts';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import { RecordSection } from '#web/ui/Record.tsx';

/** The address that the person signs in with. */
export function EmailAndPassword() {
  const user = useSession()?.user;
  return (
    <RecordSection title="E-mail and password">
      <Facts>
        <Fact name="E-mail">{user?.email}</Fact>
      </Facts>
    </RecordSection>
  );
}
