import { Button, Flex, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { PushBrowser } from '#contract/push.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useProfile } from '#web/api/profile.ts';
import { usePushBrowsers, useAddPushBrowser, useTestPush, useRemovePushBrowser } from '#web/api/push.ts';
import { pushSupport, type PushSupport } from '#web/api/this-browser.ts';
import { deviceWords, isPhone } from '#web/features/account/device-words.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import entries from '#web/ui/entries.module.css';
import { InstantText } from '#web/ui/InstantText.tsx';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import { reachText } from './reach-text.ts';

type PushDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Whether this browser takes push messages of the workspace, and which other browsers of the person do. */
export default function PushDialog({ workspace, opened, onClose }: PushDialogProps) {
  const found = usePushBrowsers();
  const isDemo = useProfile().data?.is_demo === true;
  return (
    <Dialog title="Push notifications" opened={opened} onClose={onClose} width={560}>
      <Stack gap={16}>
        <Text className={prose.note}>
          {isDemo
            ? 'The demo sends push messages to its Inbox. In a workspace of your own they appear in this browser, also while Cuebird is closed.'
            : `Reminders of ${workspace.name} with the channel Push appear in this browser, also while Cuebird is closed.`}
        </Text>
        <Loaded of={found} failed="Error loading your browsers">
          {({ data, here, ...reach }) => (
            <>
              {here !== null ? <Subscribed endpoint={here} /> : isDemo ? null : <SubscribeThis />}
              {data.length > 0 && (
                <>
                  <h3 className={entries.name}>Your browsers</h3>
                  <ul className={prose.framed} aria-label="Your browsers">
                    {data.map((browser) => (
                      <Row key={browser.endpoint} browser={browser} isHere={browser.endpoint === here} />
                    ))}
                  </ul>
                </>
              )}
              {!isDemo && <Text className={prose.note}>{reachText(reach)}</Text>}
            </>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  );
}

const hindrances: Record<Exclude<PushSupport, 'ready'>, string> = {
  blocked: 'Notifications of Cuebird are blocked in this browser. Allow them in its settings for this site first.',
  home_screen_first: 'On iPhone and iPad, add Cuebird to the Home Screen first, and open it from there.',
  missing: 'This browser cannot show push notifications, or Cuebird is not opened over HTTPS.',
};

function SubscribeThis() {
  const subscribe = useAddPushBrowser();
  const support = pushSupport();
  if (support !== 'ready') return <p className={prose.remark}>{hindrances[support]}</p>;
  const start = () =>
    act(subscribe.mutateAsync(), {
      done: ['Push turned on', 'This browser takes reminders from now on.'],
      failed: 'Error turning push on',
    });
  return (
    <Group>
      <Button loading={subscribe.isPending} onClick={() => void start()}>
        Turn on in this browser
      </Button>
    </Group>
  );
}

function Subscribed({ endpoint }: { endpoint: string }) {
  const test = useTestPush();
  const end = useEnd();
  const send = () =>
    act(
      test
        .mutateAsync(endpoint)
        .then(({ outcome, message }) =>
          outcome === 'accepted' ? notifySuccess('Test sent', message) : notifyError('Test not sent', message),
        ),
      { failed: 'Error sending the test' },
    );
  return (
    <Group gap={8}>
      <Button loading={test.isPending} onClick={() => void send()}>
        Send a test
      </Button>
      <Button variant="default" loading={end.isPending} onClick={() => end.of(endpoint, 'this browser')}>
        Turn off in this browser
      </Button>
    </Group>
  );
}

function Row({ browser, isHere }: { browser: PushBrowser; isHere: boolean }) {
  const { endpoint, user_agent: userAgent, created_at: since, last_used_at: lastUsed } = browser;
  const end = useEnd();
  const name = deviceWords(userAgent);
  const Icon = isPhone(userAgent) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <Flex component="li" gap="sm" align="center" wrap="wrap" py="sm" px="md">
      <Icon size={20} stroke={1.6} aria-hidden className={prose.dimIcon} />
      <Stack className={prose.breaks} gap={0} flex="1 1 200px" miw={0}>
        <strong>
          {name}
          {isHere && <span className={prose.aside}> (this one)</span>}
        </strong>
        <span className={prose.note}>
          Since <InstantText at={since} />,{' '}
          {lastUsed === null ? (
            'not used yet'
          ) : (
            <>
              last used <InstantText at={lastUsed} />
            </>
          )}
        </span>
      </Stack>
      {!isHere && (
        <Button
          variant="default"
          size="sm"
          aria-label={`End push on ${name}`}
          loading={end.isPending}
          onClick={() => end.of(endpoint, name)}
        >
          End
        </Button>
      )}
    </Flex>
  );
}

function useEnd() {
  const { mutateAsync, isPending } = useRemovePushBrowser();
  return {
    isPending,
    of: (endpoint: string, name: string) =>
      void act(mutateAsync(endpoint), {
        done: ['Push turned off', `No more reminders go to ${name}.`],
        failed: 'Error turning push off',
      }),
  };
}
