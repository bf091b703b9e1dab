import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { Tier, PaidTier } from '#contract/tiers.ts';

/** What a plan includes; null means no limit. A month is a calendar month in UTC. */
export type Entitlements = {
  name: string;
  /** How many reminders and messages may be sent per month, however many people each goes to; tests excluded. */
  occurrencesPerMonth: number | null;
  channels: readonly ChannelType[];
  /** How many workspaces of one owner may send. */
  workspaces: number | null;
  /** Requests of all API keys of one workspace together. */
  apiRequestsPerHour: number;
  /** Whether messages and pages for recipients show the workspace's name and picture in place of Cuebird's. */
  whiteLabel: boolean;
};

const onEveryChannel = { occurrencesPerMonth: null, channels: channelTypes, workspaces: null };

export const entitlements: Readonly<Record<Tier, Entitlements>> = {
  free: {
    name: 'Free',
    occurrencesPerMonth: 25,
    channels: ['email', 'webhook'],
    workspaces: 1,
    apiRequestsPerHour: 100,
    whiteLabel: false,
  },
  basic: {
    name: 'Basic',
    occurrencesPerMonth: 100,
    channels: ['email', 'webhook', 'sms'],
    workspaces: 1,
    apiRequestsPerHour: 100,
    whiteLabel: false,
  },
  premium: { ...onEveryChannel, name: 'Premium', apiRequestsPerHour: 1_000, whiteLabel: false },
  enterprise: { ...onEveryChannel, name: 'Enterprise', apiRequestsPerHour: 10_000, whiteLabel: true },
};

/** Days in which a person's workspaces have everything of Premium, from their first workspace on. */
export const trialDays = 14;

/** Days after a failed payment in which a workspace keeps its plan. */
export const graceDays = 7;

/** With `off`, for those who host it themselves, every workspace has every feature. */
export type Billing = 'on' | 'off';

export type Plan = {
  tier: PaidTier;
  name: string;
  /** In US dollars a month. */
  price: number;
  features: readonly string[];
  isPopular: boolean;
};

/** The plans of the billing page, as a workspace pays for them. Source of names, prices and texts: the specification, section 9. */
export const plans: readonly Plan[] = [
  {
    tier: 'basic',
    name: 'Basic',
    price: 9,
    features: ['Up to 100 reminders/month', 'Email notifications', 'Basic templates', 'Single workspace'],
    isPopular: false,
  },
  {
    tier: 'premium',
    name: 'Premium',
    price: 19,
    features: [
      'Unlimited reminders',
      'SMS and email',
      'Advanced templates',
      'Multiple workspaces',
      'API access',
      'Priority support',
    ],
    isPopular: true,
  },
  {
    tier: 'enterprise',
    name: 'Enterprise',
    price: 49,
    features: ['Everything in Premium', 'Custom integrations', 'White-label', 'Dedicated support', 'Custom SLA'],
    isPopular: false,
  },
];

export type ListedPlan = {
  /** The plan on the billing page that it corresponds to. */
  tier: PaidTier;
  name: string;
  /** In US dollars a month; null where the price is negotiated. */
  price: number | null;
  features: readonly string[];
  isPopular: boolean;
  /** What one pays inside a workspace, and what the plan is called there. */
  paid: string;
};

/** The plans of the landing page. Source: the specification, section 9. */
export const listedPlans: readonly ListedPlan[] = [
  {
    tier: 'basic',
    name: 'Starter',
    price: 9,
    features: [
      'Up to 100 reminders per month',
      'Email and SMS',
      'Basic templates',
      'Calendar integration',
      'Email support',
    ],
    isPopular: false,
    paid: 'You pay $9 a month. Inside a workspace the plan is called Basic, with email, SMS and webhooks.',
  },
  {
    tier: 'premium',
    name: 'Professional',
    price: 29,
    features: [
      'Unlimited reminders',
      'All channels',
      'Advanced templates',
      'Team collaboration',
      'API access',
      'Analytics dashboard',
      'Priority support',
    ],
    isPopular: true,
    paid: 'You pay $19 a month. Inside a workspace the plan is called Premium and has this lower price.',
  },
  {
    tier: 'enterprise',
    name: 'Enterprise',
    price: null,
    features: [
      'Everything in Professional',
      'Custom integrations',
      'Dedicated account manager',
      'SLA guarantee',
      'Advanced security',
      'Custom training',
    ],
    isPopular: false,
    paid: 'You pay $49 a month as it stands, or what we agree on. Inside a workspace it is called Enterprise, too.',
  },
];
