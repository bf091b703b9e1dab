import '@mantine/core/styles/Alert.layer.css';
import { Alert } from '@mantine/core';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';

/** Above the console while its reader, an administrator, has no second factor. */
export const AskedForSecondFactor = ({ requiredAt }: { requiredAt: string }) => (
  <Alert color="yellow" title="Turn on two-factor authentication">
    Administrators of this installation need it. The console closes to you on <InstantText at={requiredAt} /> unless it
    is on by then.
    <div>
      <TextLink to="/auth/two-factor" search={{ next: '/admin' }}>
        Set it up now
      </TextLink>
    </div>
  </Alert>
);
