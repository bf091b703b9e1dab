import { Card, Title } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import type { TemplateSummary } from '#contract/templates.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { CategoryBadge } from './CategoryBadge.tsx';
import { TemplateActions } from './TemplateActions.tsx';
import classes from './TemplateCard.module.css';
import type { AskedOfOne } from './TemplateDialogs.tsx';
import { TemplateMenu } from './TemplateMenu.tsx';
import { usedText, variablesText } from './template-words.ts';

type TemplateCardProps = { template: TemplateSummary; onAsk: (to: AskedOfOne) => void };

export function TemplateCard({ template, onAsk }: TemplateCardProps) {
  const { id, name, description, category, content, variable_count, usage_count, is_public, updated_at } = template;
  const { name: typeName, icon: TypeIcon } = channelLooks[content.type];
  return (
    <Card className={classes.card} component="article" aria-labelledby={`template-${id}`}>
      <div className={classes.head}>
        <Title order={2} size="h3" className={classes.name} id={`template-${id}`}>
          {name}
        </Title>
        <TemplateMenu name={name} onAsk={onAsk} />
      </div>
      {description && (
        <p className={classes.description} title={description}>
          {description}
        </p>
      )}
      <div className={classes.badges}>
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
      </div>
      <p className={classes.facts}>
        {variablesText(variable_count)} · {usedText(usage_count)} · Updated <RelativeTime at={updated_at} />
      </p>
      <TemplateActions template={template} onAsk={onAsk} />
    </Card>
  );
}
