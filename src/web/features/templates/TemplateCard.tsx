import { ActionIcon, Button, Card, Group, Menu, Text, Title } from '@mantine/core';
import {
  IconCopy,
  IconDotsVertical,
  IconEye,
  IconHistory,
  IconLink,
  IconPencil,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { TemplateSummary } from '#contract/templates.ts';
import { useDuplicateTemplate } from '#web/api/templates.ts';
import { act } from '#web/ui/act.ts';
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
        <TemplateMenu name={name} onAsk={onAsk} />
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
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => onAsk('edit')}
      >
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconEye size={14} aria-hidden />}
        onClick={() => onAsk('preview')}
      >
        Preview
      </Button>
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

type TemplateMenuProps = { name: string; onAsk: (to: 'versions' | 'uses') => void };

/** Less frequent actions: show versions, show uses. */
function TemplateMenu({ name, onAsk }: TemplateMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const ask = (to: 'versions' | 'uses') => {
    // The dialog returns the focus to the element that had it, and the menu item will be unmounted by then.
    button.current?.focus();
    onAsk(to);
  };
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size={28}
          mr={-8}
          my={-2}
          aria-label={`More actions for ${name}`}
        >
          <IconDotsVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => ask('versions')}>
          Version history
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => ask('uses')}>
          Where it is used
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
