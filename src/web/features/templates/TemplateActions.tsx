import { ActionIcon, Button } from '@mantine/core';
import { IconCopy, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import type { TemplateSummary } from '#contract/templates.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { useDuplicate } from './duplicate-template.ts';
import classes from './TemplateCard.module.css';
import type { AskedOfOne } from './TemplateDialogs.tsx';

type TemplateActionsProps = { template: TemplateSummary; onAsk: (to: AskedOfOne) => void };

export function TemplateActions({ template, onAsk }: TemplateActionsProps) {
  const { duplicate, isBusy } = useDuplicate(template);
  return (
    <div className={classes.actions}>
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
      <div className={classes.last}>
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
      </div>
    </div>
  );
}
