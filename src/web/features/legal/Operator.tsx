import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#web/api/config.ts';
import { TextLink } from '#web/ui/links.tsx';

/** Who runs this installation, as its configuration says. */
export function Operator() {
  const { data: config, error } = useQuery(configQuery);
  if (config === undefined)
    return <p>{error === null ? 'Loading…' : 'Who runs this installation could not be loaded. Reload this page.'}</p>;
  const { operator_name: name, operator_address: address } = config;
  if (name === null && address === null)
    return <p>The name and address of who runs this installation are not stated. Ask whoever gave you its address.</p>;
  return (
    <p>
      {name ?? 'The name of who runs this installation is not stated.'}
      <br />
      {address ?? 'Their postal address is not stated.'}
    </p>
  );
}

/** Where people write to. */
export function WriteTo() {
  const email = useQuery(configQuery).data?.support_email ?? null;
  return (
    <>
      {email !== null && (
        <>
          Write to <Anchor href={`mailto:${email}`}>{email}</Anchor>, or use{' '}
        </>
      )}
      {email === null && 'Use '}
      <TextLink to="/support">the form on the support page</TextLink>
    </>
  );
}
