import { Button, Card, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Plan } from '#contract/plans.ts';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useState } from 'react';
import classes from './billing.module.css';

type PlanCardProps = {
  plan: Plan;
  isCurrent: boolean;
  /** Nothing can be ordered on this installation. */
  isOff: boolean;
  isOwner: boolean;
  onSubscribe: () => Promise<void>;
};

/** A plan with its price, and the button that orders it. */
export function PlanCard({ plan, isCurrent, isOff, isOwner, onSubscribe }: PlanCardProps) {
  return (
    <Card
      component="article"
      aria-labelledby={`plan-${plan.tier}`}
      className={classes.plan}
      data-popular={plan.isPopular}
    >
      <div className={classes.head}>
        <Title order={3} id={`plan-${plan.tier}`}>
          {plan.name}
        </Title>
        {plan.isPopular && <ToneBadge word="Most Popular" tone="moving" />}
      </div>
      <p className={classes.price}>
        <strong>${plan.price}</strong>/month
      </p>
      <ul className={classes.features}>
        {plan.features.map((feature) => (
          <li key={feature}>
            <IconCheck size={16} aria-hidden />
            {feature}
          </li>
        ))}
      </ul>
      {!isOff &&
        (isCurrent ? (
          <Button disabled>Current Plan</Button>
        ) : (
          <Order plan={plan} isOwner={isOwner} onSubscribe={onSubscribe} />
        ))}
    </Card>
  );
}

function Order({ plan, isOwner, onSubscribe }: Pick<PlanCardProps, 'plan' | 'isOwner' | 'onSubscribe'>) {
  const [isOpening, setIsOpening] = useState(false);
  const open = async () => {
    setIsOpening(true);
    await onSubscribe();
    setIsOpening(false);
  };
  return (
    <Button
      variant={plan.isPopular ? 'filled' : 'default'}
      disabled={!isOwner}
      loading={isOpening}
      onClick={() => void open()}
    >
      Subscribe to {plan.name}
    </Button>
  );
}
