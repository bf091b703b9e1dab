import { Card, Skeleton } from '@mantine/core';
import card from '#web/ui/card.module.css';
import classes from './ReminderCard.module.css';

const facts = ['Schedule', 'Channels', 'Created', 'Status'];

/** The placeholder of a reminder card, in the same size to avoid a layout shift. */
export function ReminderCardSkeleton() {
  return (
    <Card className={classes.card} aria-hidden data-testid="skeleton">
      <div className={classes.head}>
        <Skeleton height={20} width="55%" my={2} />
        <Skeleton height={24} width={72} />
      </div>
      <Skeleton height={12} width="80%" mt={8} mb={4} />
      <div className={classes.facts}>
        {facts.map((fact) => (
          <div key={fact}>
            <Skeleton height={10} width={56} my={3} />
            <Skeleton height={12} width="70%" my={5} />
            {fact === 'Schedule' && (
              <>
                <Skeleton height={12} width="70%" mt={8} mb={4} />
                <Skeleton height={12} width="85%" mt={8} mb={4} />
              </>
            )}
          </div>
        ))}
      </div>
      <div className={card.actions}>
        <Skeleton height={32} width={76} />
        <Skeleton height={32} width={76} />
        <Skeleton height={32} width={92} />
      </div>
    </Card>
  );
}
