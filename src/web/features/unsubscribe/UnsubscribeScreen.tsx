import { Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import { ApiError } from '#web/api/client.ts';
import { type UnsubscribeAct, unsubscribeLinkQuery, useUnsubscribeChange } from '#web/api/unsubscribe.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';
import { actsOf, dueWords, type OfferedAct, stateOf, titleOf } from './unsubscribe-words.tsx';
import classes from './unsubscribe.module.css';

const route = getRouteApi('/themed/unsubscribe/$token');

/** The page of the unsubscribe link: recipient, sender and the Unsubscribe button. */
export function UnsubscribeScreen() {
  const { token } = route.useParams();
  const { data, isPending } = useQuery(unsubscribeLinkQuery(token));
  return (
    <LinkPage
      title="Unsubscribe"
      owner={data?.brand?.name}
      logo={data?.brand ? <BrandLogo brand={data.brand} /> : isPending ? <div className={classes.logo} /> : undefined}
    >
      <Link token={token} />
    </LinkPage>
  );
}

/** The sender's own, in place of Cuebird's. */
const BrandLogo = ({ brand: { name, logo } }: { brand: NonNullable<UnsubscribeLink['brand']> }) => (
  <div className={classes.logo}>
    {logo !== null && <img src={logo} alt="" />}
    <strong>{name}</strong>
  </div>
);

function Link({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useQuery(unsubscribeLinkQuery(token));
  if (data) return <LinkCard token={token} link={data} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <NoLink />;
  if (error) {
    return <ErrorState title="The link could not be checked" of={{ error, refetch, isFetching }} />;
  }
  return <LinkSkeleton />;
}

function NoLink() {
  return (
    <>
      <Title order={1}>This link does not work</Title>
      <p role="alert">It may be incomplete. Open it from the mail, or answer the mail and ask the sender to stop.</p>
    </>
  );
}

type LinkCardProps = { token: string; link: UnsubscribeLink };

/** What this address gets and no longer gets, and the buttons that change it. */
function LinkCard({ token, link }: LinkCardProps) {
  const change = useUnsubscribeChange(token);
  const title = useRef<HTMLHeadingElement>(null);
  // The clicked button is removed, so the focus moves to the title, which states the result.
  useEffect(() => {
    if (change.isSuccess) title.current?.focus();
  }, [change.isSuccess, link]);
  const isBusy = (act: UnsubscribeAct) => change.isPending && JSON.stringify(change.variables) === JSON.stringify(act);
  return (
    <>
      <Title order={1} ref={title} tabIndex={-1} className={classes.title}>
        {titleOf(link, change.isSuccess)}
      </Title>
      <div role="status">
        <p>{stateOf(link)}</p>
        {link.left !== 'everything' && link.required.length > 0 && <Required link={link} />}
      </div>
      <LinkRefusal error={change.error} />
      <Stack gap={8}>
        {actsOf(link).map((offered, at) => (
          <Act
            key={offered.label}
            {...offered}
            isMain={at === 0 && link.left === 'nothing'}
            isBusy={isBusy(offered.act)}
            onAct={change.mutate}
          />
        ))}
      </Stack>
    </>
  );
}

type ActProps = OfferedAct & { isMain: boolean; isBusy: boolean; onAct: (act: UnsubscribeAct) => void };

/** A name may be long: its button has as many lines as it takes. */
const Act = ({ label, act, isMain, isBusy, onAct }: ActProps) => (
  <Button
    className={classes.act}
    fullWidth
    size="md"
    variant={isMain ? 'filled' : 'default'}
    loading={isBusy}
    onClick={() => onAct(act)}
  >
    {label}
  </Button>
);

const mostNamed = 5;

/** What is sent in any case. */
function Required({ link: { company, required } }: { link: UnsubscribeLink }) {
  const more = required.length - mostNamed;
  return (
    <>
      <p className={classes.required}>You will still get what {company} has to send:</p>
      <ul className={classes.list}>
        {required.slice(0, mostNamed).map(({ name, why }) => (
          <li key={name}>
            {name}, {dueWords[why]}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </>
  );
}
