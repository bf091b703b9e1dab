import { Box, Button, Card, Flex, Text, Title, UnstyledButton } from '@mantine/core';
import { IconArrowLeft, IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { useAccountInbox } from '#web/api/inbox.ts';
import { List } from '#web/ui/List.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './inbox.module.css';
import { MessageRow } from './MessageRow.tsx';
import { MessageView } from './MessageView.tsx';
import { NoMessage } from './NoMessage.tsx';
import { useLinkToken } from '#web/ui/link-token.ts';
import layout from '#web/app/SignedInLayout.module.css';

/** Account mail (verification, reset) for the holder of the terminal's link; belongs to no workspace. */
export function AccountInboxScreen() {
  const token = useLinkToken();
  useDocumentTitle('Account mail');
  return (
    <Box component="main" maw={1120} className={layout.content}>
      <Flex component="header" gap={16} align="flex-start" mb={24}>
        <Logo size={36} />
        <div>
          <Title order={1}>Account mail</Title>
          <Text mt={2} c="dimmed">
            Cuebird catches mail about accounts here instead of sending it: verification and password links.
          </Text>
        </div>
      </Flex>
      <Mail token={token} />
    </Box>
  );
}

function Mail({ token }: { token: string }) {
  const inbox = useAccountInbox(token);
  const [chosenId, choose] = useState<string | null>(null);
  const isPhone = useIsPhone();
  const chosen = inbox.data?.find(({ id }) => id === chosenId);
  const messages = (isPart: boolean) => (
    <List
      isPart={isPart}
      noun="account mail"
      label="Messages"
      failed="Account mail cannot be shown"
      of={inbox}
      card={(message) => (
        <UnstyledButton
          className={classes.row}
          aria-current={message.id === chosenId ? 'true' : undefined}
          onClick={() => choose(message.id)}
        >
          <MessageRow message={message} />
        </UnstyledButton>
      )}
      empty={{
        icon: IconInbox,
        title: 'No account mail yet',
        sentence: 'When someone signs up or asks for a new password, the mail appears here within seconds.',
      }}
    />
  );
  if (!inbox.data?.length) return messages(false);
  if (isPhone && chosen) {
    return (
      <>
        <Button
          mb={12}
          ml={-8}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          onClick={() => choose(null)}
        >
          Account mail
        </Button>
        <MessageView key={chosen.id} message={chosen} htmlUrl={null} />
      </>
    );
  }
  return (
    <Card padding={0} className={classes.panes}>
      <section className={classes.side} aria-label="Messages">
        <div className={classes.list}>{messages(true)}</div>
      </section>
      {!isPhone && (
        <div className={classes.reading}>
          {chosen ? <MessageView key={chosen.id} message={chosen} htmlUrl={null} /> : <NoMessage />}
        </div>
      )}
    </Card>
  );
}
