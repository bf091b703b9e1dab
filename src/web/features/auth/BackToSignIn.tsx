import { Center } from '@mantine/core';
import { TextLink } from '#web/ui/links.tsx';

export const BackToSignIn = () => (
  <Center mt={16}>
    <TextLink to="/auth" size="sm">
      Back to sign-in
    </TextLink>
  </Center>
);
