import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ContactDetails } from '#contract/contact-details.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

/** The fields of the contact, its tags, groups and values. */
export function ContactFacts({ contact }: { contact: ContactDetails }) {
  const { email, phone, timezone, tags, groups, variables } = contact;
  return (
    <RecordSection title="Details">
      <dl className={`${classes.facts} ${classes.body}`}>
        <Fact term="Email">{email && <Anchor href={`mailto:${email}`}>{email}</Anchor>}</Fact>
        <Fact term="Phone">{phone && <Anchor href={`tel:${phone}`}>{phone}</Anchor>}</Fact>
        <Fact term="Timezone">{timezone?.replaceAll('_', ' ')}</Fact>
        <Fact term="Tags">{tags.length > 0 && <Tags tags={tags} />}</Fact>
        <Fact term="Groups">{groups.length > 0 && <Tags tags={groups.map(({ name }) => name)} />}</Fact>
        {Object.entries(variables).map(([name, value]) => (
          <Fact key={name} term={name}>
            {value}
          </Fact>
        ))}
        <Fact term="Added">
          <InstantText at={contact.created_at} show="day" />
        </Fact>
      </dl>
    </RecordSection>
  );
}

/** Nothing where there is no value. */
function Fact({ term, children }: { term: string; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map((tag) => (
      <span key={tag} className={classes.tag}>
        {tag}
      </span>
    ))}
  </span>
);
