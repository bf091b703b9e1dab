import { Card, Skeleton } from '@mantine/core';
import card from '#web/ui/card.module.css';
import classes from './TemplateCard.module.css';

/** The placeholder of a template card, in the same size to avoid a layout shift. */
export function TemplateCardSkeleton() {
  return (
    <Card className={classes.card} aria-hidden data-testid="skeleton">
      <Skeleton height={16} width="60%" mt={4} mb={12} />
      <Skeleton height={12} width="90%" mb={4} />
      <div className={classes.badges}>
        <Skeleton height={24} width={84} radius={6} />
        <Skeleton height={24} width={64} radius={6} />
      </div>
      <Skeleton height={10} width="80%" mt={15} mb={19} />
      <div className={card.actions}>
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={88} />
      </div>
    </Card>
  );
}
