import { Button, Card, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Plan } from '#contract/plans.ts';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useState } from 'react';
import classes from './billing.module.css';

type PlanCardProps = {
  plan: Plan;
  /** It is the plan of the workspace. */
  isCurrent: boolean;
  /** The workspace's plan is paid. */
  isActive: boolean;
  /** Nothing can be ordered on this installation. */
  isOff: boolean;
  isOwner: boolean;
  onSubscribe: () => Promise<void>;
};

/** A plan with its price, and the button that orders it. */
export function PlanCard(props: PlanCardProps) {
  const { plan, isOff } = props;
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
      {!isOff && <Order {...props} />}
    </Card>
  );
}

/** The current plan cannot be ordered again; one whose payment is due leads to where it is paid. */
function Order({ plan, isCurrent, isActive, isOwner, onSubscribe }: PlanCardProps) {
  const [isOpening, setIsOpening] = useState(false);
  const open = async () => {
    setIsOpening(true);
    await onSubscribe();
    setIsOpening(false);
  };
  return (
    <Button
      variant={plan.isPopular ? 'filled' : 'default'}
      disabled={!isOwner || (isCurrent && isActive)}
      loading={isOpening}
      onClick={() => void open()}
    >
      {isCurrent ? 'Current Plan' : `Subscribe to ${plan.name}`}
    </Button>
  );
}
