import { Card, Skeleton } from '@mantine/core';
import card from '#web/ui/card.module.css';
import classes from './ChannelCard.module.css';

/** The placeholder of a channel card, in the same size to avoid a layout shift. */
export function ChannelCardSkeleton() {
  return (
    <Card className={classes.card} aria-hidden data-testid="skeleton">
      <div className={classes.head}>
        <Skeleton height={40} width={40} radius={8} />
        <div className={classes.words}>
          <Skeleton height={16} width="70%" mt={4} mb={8} />
          <Skeleton height={12} width="45%" mb={4} />
        </div>
        <Skeleton height={24} width={84} />
      </div>
      <Skeleton height={12} width="80%" mt={20} mb={6} />
      <Skeleton height={10} width="40%" mb={19} />
      <div className={card.actions}>
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={88} />
      </div>
    </Card>
  );
}
