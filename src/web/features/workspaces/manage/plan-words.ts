import type { Workspace } from '#contract/workspaces.ts';

type Plan = Pick<Workspace, 'subscription_tier' | 'subscription_status'>;

/** `Premium` */
export const planName = ({ subscription_tier: tier }: Plan): string => capitalised(tier);

/** `Past due` */
export const statusName = ({ subscription_status: status }: Plan): string => capitalised(status.replaceAll('_', ' '));

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
