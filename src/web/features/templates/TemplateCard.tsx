import { ActionIcon, Card, Group, Text, Title } from '@mantine/core';
import { IconCopy, IconEye, IconHistory, IconLink, IconPencil, IconTrash, IconWorld } from '@tabler/icons-react';
import type { TemplateSummary } from '#contract/templates.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useDuplicateTemplate } from '#web/api/templates.ts';
import { act } from '#web/ui/act.ts';
import { ActionsMenu } from '#web/ui/ActionsMenu.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { CategoryBadge } from './CategoryBadge.tsx';
import { usedText, variablesText } from './template-words.ts';
import card from '#web/ui/card.module.css';
import classes from './TemplateCard.module.css';
import type { AskedOfOne } from './TemplateDialogs.tsx';

type TemplateCardProps = { template: TemplateSummary; onAsk: (to: AskedOfOne) => void };

export function TemplateCard({ template, onAsk }: TemplateCardProps) {
  const { id, name, description, category, content, variable_count, usage_count, is_public, updated_at } = template;
  const { name: typeName, icon: TypeIcon } = channelLooks[content.type];
  return (
    <Card component="article" aria-labelledby={`template-${id}`}>
      <Group gap={8} align="flex-start" wrap="nowrap">
        <Title order={2} size="h3" className={card.name} flex={1} miw={0} id={`template-${id}`}>
          {name}
        </Title>
        <ActionsMenu
          label={`More actions for ${name}`}
          width={190}
          dots={16}
          variant="subtle"
          color="gray"
          size={28}
          mr={-8}
          my={-2}
          acts={[
            { label: 'Version history', icon: IconHistory, onChoose: () => onAsk('versions') },
            { label: 'Where it is used', icon: IconLink, onChoose: () => onAsk('uses') },
          ]}
        />
      </Group>
      {description && (
        <p className={card.description} title={description}>
          {description}
        </p>
      )}
      <Group gap={6} mt="sm">
        {category && <CategoryBadge name={category.name} color={category.color} />}
        <span className={classes.type}>
          <TypeIcon size={14} stroke={1.8} aria-hidden />
          {typeName}
        </span>
        {is_public && (
          <span className={classes.type}>
            <IconWorld size={14} stroke={1.8} aria-hidden />
            Public
          </span>
        )}
      </Group>
      <Text className={card.small} mt={12} mb={16}>
        {variablesText(variable_count)} · {usedText(usage_count)} · Updated <RelativeTime at={updated_at} />
      </Text>
      <TemplateActions template={template} onAsk={onAsk} />
    </Card>
  );
}

type TemplateActionsProps = { template: TemplateSummary; onAsk: (to: AskedOfOne) => void };

function TemplateActions({ template, onAsk }: TemplateActionsProps) {
  const { duplicate, isBusy } = useDuplicate(template);
  return (
    <div className={card.actions}>
      <ButtonLink
        size="xs"
        variant="light"
        to="/reminders/new"
        search={{ template: template.id }}
        aria-label={`Use ${template.name} in a reminder`}
        data-hint="Create a reminder from it"
      >
        Use
      </ButtonLink>
      <SmallButton icon={IconPencil} size="xs" onClick={() => onAsk('edit')}>
        Edit
      </SmallButton>
      <SmallButton icon={IconEye} size="xs" onClick={() => onAsk('preview')}>
        Preview
      </SmallButton>
      <Group className={card.touch} gap={8} ml="auto" wrap="nowrap">
        <ActionIcon
          data-hint="Duplicate"
          size={30}
          variant="default"
          aria-label={`Duplicate ${template.name}`}
          loading={isBusy}
          onClick={() => void duplicate()}
        >
          <IconCopy size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          data-hint="Delete"
          size={30}
          variant="default"
          aria-label={`Delete ${template.name}`}
          onClick={() => onAsk('delete')}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** Copies a template within its workspace and shows the result. */
function useDuplicate({ id, name }: { id: string; name: string }) {
  const { mutateAsync, isPending } = useDuplicateTemplate();
  // The result is handled here and not in a mutation callback: the card may be unmounted before the response.
  const duplicate = () =>
    act(mutateAsync(id), {
      done: (copy) => ['Template duplicated', `“${name}” has been copied as “${copy.name}”`],
      failed: 'Error duplicating template',
    });
  return { duplicate, isBusy: isPending };
}
